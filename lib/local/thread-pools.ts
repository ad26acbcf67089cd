/**
 * The threads of the functions: each runs one invocation at a time. Functions with the same code and environment share
 * them, in which code is loaded and compiled once. Few run at once, and idle ones end.
 */
import { type FunctionSpec, type FunctionThread, startFunctionThread } from './function-thread.ts';
import type { ServiceLimits } from './limits.ts';
import type { LogRing } from './logs.ts';

export interface ThreadPool {
  /**
   * A thread for an invocation; waits where there are enough.
   *
   * @param isNested a function waits for the invocation: it gets a thread at once, else those that wait could hold all threads
   */
  acquire(spec: FunctionSpec, isNested?: boolean): Promise<FunctionThread>;
  /** Lets the longest waiting invocation run. */
  release(thread: FunctionThread): void;
  threads(): readonly FunctionThread[];
  /** Ends all threads; invocations that wait for one get none. */
  close(): Promise<void>;
}

export interface ThreadOptions {
  readonly skew: SharedArrayBuffer;
  readonly logs: LogRing;
  readonly limits: ServiceLimits['lambda'];
  /** How long a thread stays without work; default: 15 seconds. */
  readonly idleMs?: number | undefined;
}

/** Functions with more have other threads, which seldom run: with a large limit V8 collects garbage later. */
const usualMemoryMb = 1024;
const usualIdleMs = 15_000;
/** Where no thread becomes free, invocations may wait for others: the receiver of a webhook calls the API. */
const stallMs = 1_000;
/** So many times the usual threads, however many stand still. */
const stalledTimesMax = 3;

interface IdleThreads {
  /** Ends the thread after `idleMs`, unless it is taken before. */
  add(thread: FunctionThread): void;
  /** @param preferred the thread to take if it is idle; else the one that ran last @returns undefined: none is idle */
  take(preferred: FunctionThread | undefined): FunctionThread | undefined;
  remove(thread: FunctionThread): void;
}

function idleThreads(idleMs: number): IdleThreads {
  /** Each with the timer that ends it, in the order of their last invocations. */
  const timers = new Map<FunctionThread, NodeJS.Timeout>();
  function remove(thread: FunctionThread): void {
    clearTimeout(timers.get(thread));
    timers.delete(thread);
  }
  return {
    add: (thread) => timers.set(thread, setTimeout(() => void thread.terminate(), idleMs).unref()),
    take(preferred) {
      const thread = preferred && timers.has(preferred) ? preferred : [...timers.keys()].at(-1);
      if (thread) remove(thread);
      return thread;
    },
    remove,
  };
}

/** @param heapMb heap of the largest function that runs in the threads */
function createPool(heapMb: number, options: ThreadOptions): ThreadPool {
  const { limits, idleMs = usualIdleMs } = options;
  const threads = new Set<FunctionThread>();
  const idle = idleThreads(idleMs);
  /** Where each function ran last: its code and what it remembers are there, as in its own environment in Lambda. */
  const lastOf = new WeakMap<FunctionSpec, FunctionThread>();
  const waiting: { readonly spec: FunctionSpec; readonly run: (thread: FunctionThread) => void }[] = [];
  let stall: NodeJS.Timeout | undefined;
  let started = 0;
  let isClosed = false;

  function start(spec: FunctionSpec): FunctionThread {
    started += 1;
    const onEnd = () => {
      threads.delete(thread);
      idle.remove(thread);
    };
    const { skew, logs } = options;
    const thread = startFunctionThread({ spec, number: started, heapMb, skew, logs, onEnd });
    threads.add(thread);
    lastOf.set(spec, thread);
    return thread;
  }

  /** The idle thread in which the function ran last, else the one that ran last, else a new one; null: there are enough. */
  function threadFor(spec: FunctionSpec, isNested = false): FunctionThread | null {
    const thread = idle.take(lastOf.get(spec));
    if (!thread) return isNested || threads.size < limits.threads ? start(spec) : null;
    lastOf.set(spec, thread);
    return thread;
  }

  /** Gives threads to the invocations that wait longest. */
  function serve(): void {
    for (let [next] = waiting; next && !isClosed; [next] = waiting) {
      const thread = threadFor(next.spec);
      if (!thread) break;
      waiting.shift();
      next.run(thread);
    }
    clearTimeout(stall);
    if (waiting.length > 0) stall = setTimeout(startFurther, stallMs).unref();
  }

  function startFurther(): void {
    if (isClosed || threads.size >= limits.threads * stalledTimesMax) return;
    const next = waiting.shift();
    next?.run(start(next.spec));
    serve();
  }

  return {
    acquire: (spec, isNested) =>
      new Promise((run) => {
        const nested = isNested ? threadFor(spec, true) : null;
        if (nested) return run(nested);
        waiting.push({ spec, run });
        if (waiting.length === 1) serve();
      }),
    release(thread) {
      if (thread.isAlive()) idle.add(thread);
      serve();
    },
    threads: () => [...threads],
    async close() {
      isClosed = true;
      await Promise.all([...threads].map((thread) => thread.terminate()));
    },
  };
}

/** The pool of each function. */
export function createThreadPools(
  specs: readonly FunctionSpec[],
  options: ThreadOptions,
): ReadonlyMap<FunctionSpec, ThreadPool> {
  const sharing = Map.groupBy(specs, ({ codeFolder, environment, memoryMb }) =>
    JSON.stringify([codeFolder, environment, memoryMb > usualMemoryMb]),
  );
  return new Map(
    [...sharing.values()].flatMap((group) => {
      const pool = createPool(Math.max(...group.map(({ memoryMb }) => memoryMb)), options);
      return group.map((spec) => [spec, pool] as const);
    }),
  );
}
