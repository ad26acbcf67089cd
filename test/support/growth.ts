/** Whether work grows with its input and no faster: a ratio, measured so that nothing else on the machine shows. */
import { expect } from 'vitest';

/** How often the larger input is as large: quadratic work takes that many times as long for as much input in all. */
const times = 16;
/** Allowed beyond one to one, for caches and rounding. */
const ratioMax = 5;
const slackMs = 50;
/** A collector's pause would have to strike each time. */
const roundsMax = 8;

/**
 * Fails where one input takes much longer than sixteen of a sixteenth of its size, in processor time of this thread.
 *
 * @param make input of a size
 * @param work what is measured
 * @param size of the small input
 */
export async function expectLinear<T>(
  make: (size: number) => T,
  work: (input: T) => unknown,
  size: number,
): Promise<void> {
  const [small, large] = [make(size), make(size * times)];
  const best = { small: Infinity, large: Infinity };
  const isFine = () => best.large < best.small * ratioMax + slackMs;
  for (let round = 0; round < roundsMax && (round < 2 || !isFine()); round++) {
    const smallMs = await cpuMs(async () => {
      for (let count = 0; count < times; count++) await work(small);
    });
    const largeMs = await cpuMs(() => work(large));
    best.small = Math.min(best.small, smallMs);
    best.large = Math.min(best.large, largeMs);
  }
  expect(isFine(), `${times} small: ${best.small} ms, one large: ${best.large} ms`).toBe(true);
}

async function cpuMs(work: () => unknown): Promise<number> {
  const start = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}
