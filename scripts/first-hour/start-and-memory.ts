/** Measures `npm start`: the seconds until it is ready and until it has ended, its memory and its threads. */
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { callsOf } from './every-function.ts';
import { copyTree, startRun } from './local-run.ts';
import { sizeOfTree, type TreeSize } from './process-tree.ts';

/** Memory and threads are those of the process of `npm start` and all that it started, without npm. */
export interface StartAndMemory {
  /** Seconds from the command until the run is ready, without a `.local` folder. */
  readonly coldSeconds: number;
  /** The same with one; the shortest of some starts. */
  readonly warmSeconds: number;
  /** Seconds from Ctrl-C until the last process has ended. */
  readonly endSeconds: { readonly idle: number; readonly busy: number };
  readonly ready: TreeSize;
  /** After every operation, public route and worker has run once. */
  readonly everyFunction: TreeSize;
  readonly burst: {
    readonly requests: number;
    /** Answered 429 or 503. */
    readonly refused: number;
    /** The largest seen meanwhile. */
    readonly peak: TreeSize;
    readonly after: TreeSize;
  };
  /** Without requests for a while after that. */
  readonly idle: TreeSize;
}

const warmStarts = 3;
const burstRequests = 200;
/** Longer than threads stay without work. */
const idleMs = 40_000;
const sampleMs = 50;

/** Takes two minutes. Linux only. */
export async function measureStartAndMemory(
  progress: (text: string) => void = () => {},
): Promise<StartAndMemory> {
  const folder = copyTree();
  try {
    progress('cold start');
    const cold = await startRun(folder.path);
    const endIdle = await cold.interrupt();
    const warm: number[] = [];
    for (let count = 1; count < warmStarts; count++) {
      progress('warm start');
      const run = await startRun(folder.path);
      warm.push(run.readySeconds);
      await run.interrupt();
    }
    const run = await startRun(folder.path);
    warm.push(run.readySeconds);
    const { pid } = run;
    const ready = sizeOfTree(pid);
    const calls = await callsOf(run);
    progress('every function');
    await calls.everyFunction();
    const everyFunction = sizeOfTree(pid);
    progress('burst');
    const { result: refused, peak } = await peakDuring(pid, () => calls.burst(burstRequests));
    const burst = { requests: burstRequests, refused, peak, after: sizeOfTree(pid) };
    progress('idle');
    await wait(idleMs);
    const idle = sizeOfTree(pid);
    calls.unfinished(burstRequests);
    await wait(sampleMs);
    const endBusy = await run.interrupt();
    calls.close();
    return {
      coldSeconds: cold.readySeconds,
      warmSeconds: Math.min(...warm),
      endSeconds: { idle: endIdle, busy: endBusy },
      ...{ ready, everyFunction, burst, idle },
    };
  } finally {
    folder.remove();
  }
}

async function peakDuring<T>(pid: number, work: () => Promise<T>): Promise<{ result: T; peak: TreeSize }> {
  let peak: TreeSize = { residentMb: 0, threads: 0 };
  const timer = setInterval(() => {
    const { residentMb, threads } = sizeOfTree(pid);
    peak = { residentMb: Math.max(peak.residentMb, residentMb), threads: Math.max(peak.threads, threads) };
  }, sampleMs);
  try {
    return { result: await work(), peak };
  } finally {
    clearInterval(timer);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(JSON.stringify(await measureStartAndMemory(console.error), null, 2));
  // Connections of SDK clients stay open.
  process.exit();
}
