/** Text extraction in a child process that ends when it exceeds its time or memory. */
import { type ChildProcess, fork } from 'node:child_process';
import { type ExtractedText, withoutText } from './extracted-text.ts';
import { extractionLimits } from './limits.ts';
import { damagedWarning, type SourceFile } from './reader.ts';
import type { ChildResult, ReaderFault } from './serve-files.ts';

/** Interval of the memory check. */
const watchMs = 50;
const mb = 1024 * 1024;
/** A process that has less left of its memory is replaced. */
const reusableShare = 3 / 4;

interface Limits {
  readonly seconds: number;
  /** Of the heap, and of the growth of the process. */
  readonly memoryBytes: number;
}

export interface Extractor {
  /**
   * Like `extractText`, bounded in time and memory. Never rejects.
   *
   * @param onFault gets each error that no reader expected
   */
  extract(file: SourceFile, onFault?: (fault: ReaderFault) => void): Promise<ExtractedText>;
}

/**
 * Extracts in processes that are kept for the next file, unless a file has ended or filled them: starting one and loading
 * its readers takes longer than most files.
 *
 * @param program the module `child.ts`, or its bundle
 */
export function createExtractor(program: URL, limits: Limits = extractionLimits): Extractor {
  const idle: ChildProcess[] = [];

  function start(): ChildProcess {
    const child = fork(program, {
      // The environment of the function holds the credentials of its role.
      env: {},
      // Readers may print content of the file, which must not be logged.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${limits.memoryBytes / mb}`, '--import', watchdog(limits.memoryBytes)],
    });
    child.once('exit', () => {
      const at = idle.indexOf(child);
      if (at >= 0) idle.splice(at, 1);
    });
    // A write to a process that has ended is reported by its exit.
    child.on('error', () => {});
    return child;
  }

  function keep(child: ChildProcess, memoryBytes: number): void {
    if (memoryBytes > limits.memoryBytes * (1 - reusableShare)) return void child.kill('SIGKILL');
    // An idle process does not keep this one running.
    child.unref();
    child.channel?.unref();
    idle.push(child);
  }

  return {
    extract: async (file, onFault = () => {}) => {
      const child = idle.pop() ?? start();
      child.ref();
      child.channel?.ref();
      const result = await run(child, file, limits);
      if (typeof result === 'string') {
        child.kill('SIGKILL');
        return withoutText('failed', result);
      }
      for (const fault of result.faults) onFault(fault);
      if (child.connected) keep(child, result.memoryBytes);
      return result.extracted;
    },
  };
}

/** The result for a file, or why there is none. */
async function run(
  child: ChildProcess,
  file: SourceFile,
  { seconds }: Limits,
): Promise<ChildResult | string> {
  const { promise, resolve } = Promise.withResolvers<ChildResult | string>();
  const onMessage = (message: unknown) => resolve(message as ChildResult);
  const onExit = (_: number | null, signal: NodeJS.Signals | null) => resolve(reasonOf(signal));
  const deadline = setTimeout(
    () => resolve(`Reading the file took longer than ${seconds} seconds.`),
    seconds * 1000,
  );
  child.once('message', onMessage).once('exit', onExit);
  child.send(file, () => {});
  try {
    return await promise;
  } finally {
    clearTimeout(deadline);
    child.off('message', onMessage).off('exit', onExit);
  }
}

/**
 * A module that starts a thread beside the program, which ends the process when it uses too much memory, and when its parent
 * has ended: the program may be in a loop, and buffers are outside of the heap that V8 bounds.
 */
function watchdog(memoryBytes: number): string {
  const watch = `
    const most = process.memoryUsage.rss() + ${memoryBytes};
    const parent = process.ppid;
    const isOver = () => process.memoryUsage.rss() > most || process.ppid !== parent;
    setInterval(() => isOver() && process.kill(process.pid, 'SIGKILL'), ${watchMs});`;
  const start = `
    import { Worker } from 'node:worker_threads';
    new Worker(${JSON.stringify(watch)}, { eval: true, execArgv: [] }).unref();`;
  return `data:text/javascript,${encodeURIComponent(start)}`;
}

/** V8 aborts at the limit of the heap; the kernel kills when the machine has no memory left. */
function reasonOf(signal: NodeJS.Signals | null): string {
  return signal === 'SIGABRT' || signal === 'SIGKILL'
    ? 'Reading the file takes more memory than there is for it.'
    : damagedWarning;
}
