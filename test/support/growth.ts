/** Tests for linear time by a ratio of processor times, which other load on the machine does not change. */
import { expect } from 'vitest';

/** Ratio of the input sizes. Quadratic work on the large input takes this many times as long as on as many small ones. */
const times = 16;
/** Allowed ratio, for caches and rounding. */
const ratioMax = 5;
const slackMs = 50;
/** A pause of the garbage collector is unlikely in every round. */
const roundsMax = 8;

/**
 * Fails when one large input takes much longer than sixteen small ones of the same total size, in processor time.
 *
 * @param make creates an input of a size
 * @param work the measured function
 * @param size size of the small input
 */
export async function expectLinear<T>(
  make: (size: number) => T,
  work: (input: T) => unknown,
  size: number,
): Promise<void> {
  const [small, large] = [make(size), make(size * times)];
  const best = { small: Infinity, large: await cpuMs(() => work(large)) };
  if (best.large < slackMs) return;
  const isFine = () => best.large < best.small * ratioMax + slackMs;
  for (let round = 0; round < roundsMax && (round === 0 || !isFine()); round++) {
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
