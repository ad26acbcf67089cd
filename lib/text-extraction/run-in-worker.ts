/** Preparing in a thread of its own, which is ended when it takes too long or too much memory. */
import { Worker } from 'node:worker_threads';
import { type ExtractedText, withoutText } from '../core/text-extraction.ts';
import { extractionLimits } from './limits.ts';
import { type SourceFile, strangeWarning } from './reader.ts';
import type { WorkerResult } from './worker.ts';

/** How often the memory is looked at. */
const watchMs = 50;
const mb = 1024 * 1024;

/**
 * As `prepare`, and bounded in time and memory. Never rejects.
 *
 * @param thread the module `thread.ts`, or what the bundle made of it
 */
export async function extractInWorker(
  file: SourceFile,
  thread: URL,
  limits: { readonly seconds: number; readonly memoryBytes: number } = extractionLimits,
): Promise<ExtractedText> {
  const worker = new Worker(thread, {
    workerData: file,
    // What the readers print is about the file, and the file is private.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryBytes / mb },
  });
  const atStart = process.memoryUsage.rss();
  const { promise, resolve } = Promise.withResolvers<ExtractedText>();
  const giveUp = (why: string) => resolve(withoutText('failed', why));
  worker.once('message', ({ prepared, faults }: WorkerResult) => {
    faults.forEach(log);
    resolve(prepared);
  });
  worker.once('error', (error) => {
    if (isMemory(error)) return giveUp(tooBig);
    log(error);
    giveUp(strangeWarning);
  });
  worker.once('exit', () => giveUp(strangeWarning));
  const deadline = setTimeout(
    () => giveUp(`Reading the file took longer than ${limits.seconds} seconds.`),
    limits.seconds * 1000,
  );
  // Buffers lie outside of the heap that the resource limits bound.
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

/** Where it happened, not what: the message of an error may quote the file. */
function log(error: unknown): void {
  const { name, stack = '' } = error instanceof Error ? error : new Error('no error');
  const frames = stack.match(/^\s+at .+$/gm) ?? [];
  console.warn(JSON.stringify({ event: 'file not read', error: name, at: frames.slice(0, 5) }));
}
