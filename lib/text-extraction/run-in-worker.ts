/** Text extraction in a worker thread that is terminated when it exceeds its time or memory. */
import { Worker } from 'node:worker_threads';
import { type ExtractedText, withoutText } from '../core/text-extraction.ts';
import { extractionLimits } from './limits.ts';
import { damagedWarning, type SourceFile } from './reader.ts';
import type { WorkerResult } from './worker.ts';

/** Interval of the memory check. */
const watchMs = 50;
const mb = 1024 * 1024;

export interface WorkerOptions {
  /** Gets each error that no reader expected. */
  readonly onFault?: (fault: ReaderFault) => void;
  readonly limits?: { readonly seconds: number; readonly memoryBytes: number };
}

/**
 * Like `extractText`, bounded in time and memory. Never rejects.
 *
 * @param thread the module `worker.ts`, or its bundle
 */
export async function extractInWorker(
  file: SourceFile,
  thread: URL,
  { onFault = () => {}, limits = extractionLimits }: WorkerOptions = {},
): Promise<ExtractedText> {
  const worker = new Worker(thread, {
    workerData: file,
    // The environment of the function holds the credentials of its role.
    env: {},
    // Readers may print content of the file, which must not be logged.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryBytes / mb },
  });
  const atStart = process.memoryUsage.rss();
  const { promise, resolve } = Promise.withResolvers<ExtractedText>();
  const giveUp = (why: string) => resolve(withoutText('failed', why));
  worker.once('message', ({ extracted, faults }: WorkerResult) => {
    for (const fault of faults) onFault(describeFault(fault));
    resolve(extracted);
  });
  worker.once('error', (error) => {
    if (isMemory(error)) return giveUp(tooBig);
    onFault(describeFault(error));
    giveUp(damagedWarning);
  });
  worker.once('exit', () => giveUp(damagedWarning));
  const deadline = setTimeout(
    () => giveUp(`Reading the file took longer than ${limits.seconds} seconds.`),
    limits.seconds * 1000,
  );
  // Buffers are outside of the heap that the resource limits bound.
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() - atStart > limits.memoryBytes) giveUp(tooBig);
  }, watchMs);
  try {
    return await promise;
  } finally {
    clearTimeout(deadline);
    clearInterval(watch);
    await worker.terminate();
  }
}

const tooBig = 'Reading the file takes more memory than there is for it.';

function isMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** An unexpected error of a reader, without its message, which may quote the file. */
export interface ReaderFault {
  readonly name: string;
  /** The first five frames of its stack. */
  readonly frames: readonly string[];
}

function describeFault(error: unknown): ReaderFault {
  const { name, stack = '' } = error instanceof Error ? error : new Error('no error');
  const frames = stack.match(/^\s+at .+$/gm) ?? [];
  return { name, frames: frames.slice(0, 5) };
}
