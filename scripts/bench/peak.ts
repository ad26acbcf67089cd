/** Asks a process of its own how much memory one function of the bundle takes for its messages. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PeakAnswer, PeakTask } from './peak-memory.ts';

/** Of the process that does the work, in megabytes: at its largest, and before it did anything. */
export interface Peak {
  readonly peakMegabytes: number;
  readonly idleMegabytes: number;
}

/** What is garbage at the peak is a matter of luck, so the worst of several runs counts. */
export const runs = 3;

/** @param megabytes memory of the function */
export async function peakOf(
  task: PeakTask,
  environment: Readonly<Record<string, string>>,
  megabytes: number,
): Promise<Peak> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      // Nine tenths of the memory, as Lambda's runtime sets it.
      `--max-old-space-size=${Math.floor(0.9 * megabytes)}`,
      join(import.meta.dirname, 'peak-memory.ts'),
      JSON.stringify(task),
    ],
    { env: { ...process.env, ...environment } },
  );
  const { peakBytes, idleBytes } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as PeakAnswer;
  return { peakMegabytes: peakBytes / 2 ** 20, idleMegabytes: idleBytes / 2 ** 20 };
}

export function worst(peaks: readonly Peak[]): Peak {
  return {
    peakMegabytes: Math.max(...peaks.map(({ peakMegabytes }) => peakMegabytes)),
    idleMegabytes: Math.max(...peaks.map(({ idleMegabytes }) => idleMegabytes)),
  };
}
