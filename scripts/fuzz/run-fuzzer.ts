/** The frame of a fuzzer's run: a local cloud, batches of cases, the result. */
import { type Stage, startStage } from '../bench/stage.ts';
import type { FuzzOptions } from './options.ts';

/** Runs `cases` on a local cloud. It returns the number of failures, which is the exit code, 0 or 1. */
export async function runFuzzer(
  { count }: FuzzOptions,
  unit: 'requests' | 'messages',
  cases: (stage: Stage, elapsedSeconds: () => number) => Promise<number>,
): Promise<void> {
  const stage = await startStage({ limits: { ses: { managementCallsPerSecond: Number.POSITIVE_INFINITY } } });
  const startedAt = performance.now();
  try {
    const failures = await cases(stage, () => (performance.now() - startedAt) / 1000);
    console.log(`${failures} failures in ${count} ${unit}`);
    process.exitCode = failures > 0 ? 1 : 0;
  } finally {
    await stage.close();
  }
}

/** The case numbers of each batch. */
export function batchesOf({ first, count, batch }: FuzzOptions): number[][] {
  return Array.from({ length: Math.ceil(count / batch) }, (_, at) => {
    const from = first + at * batch;
    return Array.from({ length: Math.min(batch, first + count - from) }, (_, offset) => from + offset);
  });
}
