/** Tests for linear time by a ratio of processor times, which other load on the machine does not change. */
import { expect } from 'vitest';

/** Ratio of the input sizes. Quadratic work on the large input takes this many times as long as on as many small ones. */
const times = 16;
/** One in so many of the small inputs is measured. */
const sampledIn = 4;
/** Allowed ratio, for caches and rounding. */
const ratioMax = 5;
const slackMs = 50;
/** A pause of the garbage collector is unlikely in every round. */
const roundsMax = 5;

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
  for (let round = 0; round < roundsMax; round++) {
    if (round > 0) best.large = Math.min(best.large, await cpuMs(() => work(large)));
    const smallMs = await cpuMs(async () => {
      for (let count = 0; count < times / sampledIn; count++) await work(small);
    });
    best.small = Math.min(best.small, smallMs * sampledIn);
    if (isFine()) break;
  }
  expect(isFine(), `${times} small: ${best.small} ms, one large: ${best.large} ms`).toBe(true);
}

async function cpuMs(work: () => unknown): Promise<number> {
  const start = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}
