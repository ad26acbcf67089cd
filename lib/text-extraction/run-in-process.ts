/** Text extraction in a child process that ends when it exceeds its time or memory. */
import { fork } from 'node:child_process';
import { type ExtractedText, withoutText } from '../core/text-extraction.ts';
import { extractionLimits } from './limits.ts';
import { damagedWarning, type SourceFile } from './reader.ts';
import type { ChildResult, ReaderFault } from './serve-one-file.ts';

/** Interval of the memory check. */
const watchMs = 50;
const mb = 1024 * 1024;

interface Limits {
  readonly seconds: number;
  /** Of the heap; the process may use as much again as what Node.js itself takes. */
  readonly memoryBytes: number;
}

/**
 * Like `extractText`, bounded in time and memory. Never rejects.
 *
 * @param program the module `child.ts`, or its bundle
 * @param options.onFault gets each error that no reader expected
 */
export async function extractInProcess(
  file: SourceFile,
  program: URL,
  {
    onFault = () => {},
    limits = extractionLimits,
  }: { onFault?: (fault: ReaderFault) => void; limits?: Limits } = {},
): Promise<ExtractedText> {
  const child = fork(program, {
    // The environment of the function holds the credentials of its role.
    env: {},
    // Readers may print content of the file, which must not be logged.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${limits.memoryBytes / mb}`, '--import', watchdog(limits)],
  });
  const { promise, resolve } = Promise.withResolvers<ExtractedText>();
  const giveUp = (why: string) => resolve(withoutText('failed', why));
  child.once('message', (message) => {
    const { extracted, faults } = message as ChildResult;
    for (const fault of faults) onFault(fault);
    resolve(extracted);
  });
  child.once('error', () => giveUp(damagedWarning));
  child.once('exit', (_, signal) => giveUp(warningOf(signal, limits)));
  // A child that has exited reports through `exit`.
  child.send(file, () => {});
  try {
    return await promise;
  } finally {
    child.kill('SIGKILL');
  }
}

/**
 * A module that starts a thread beside the program, which ends the process when it exceeds its limits. The program itself may be
 * in a loop, and buffers are outside of the heap that V8 bounds.
 */
function watchdog({ seconds, memoryBytes }: Limits): string {
  const watch = `
    const end = Date.now() + ${seconds * 1000};
    const most = process.memoryUsage.rss() + ${memoryBytes};
    setInterval(() => {
      if (Date.now() > end) process.kill(process.pid, 'SIGALRM');
      if (process.memoryUsage.rss() > most) process.kill(process.pid, 'SIGKILL');
    }, ${watchMs});`;
  const start = `
    import { Worker } from 'node:worker_threads';
    new Worker(${JSON.stringify(watch)}, { eval: true, execArgv: [] }).unref();`;
  return `data:text/javascript,${encodeURIComponent(start)}`;
}

function warningOf(signal: NodeJS.Signals | null, { seconds }: Limits): string {
  switch (signal) {
    case 'SIGALRM':
      return `Reading the file took longer than ${seconds} seconds.`;
    // V8 aborts at the limit of the heap; the kernel kills when the machine has no memory left.
    case 'SIGABRT':
    case 'SIGKILL':
      return 'Reading the file takes more memory than there is for it.';
    default:
      return damagedWarning;
  }
}
