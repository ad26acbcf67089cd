/** The threads of the functions: each runs one invocation at a time, and invocations above the limit of a function wait. */
import { type FunctionSpec, type FunctionThread, startFunctionThread } from './function-thread.ts';
import type { LogRing } from './logs.ts';

/** The threads of a function, or of several. */
interface Pool {
  readonly threads: Set<FunctionThread>;
  readonly idle: FunctionThread[];
  started: number;
}

export interface LocalFunction {
  readonly spec: FunctionSpec;
  readonly pool: Pool;
  /** Number of invocations that have a thread. */
  running: number;
  /** Invocations that wait for a thread. */
  readonly waiting: (() => void)[];
}

export interface ThreadPools {
  /** @param name name or ARN */
  find(name: string): LocalFunction | undefined;
  /** A thread for an invocation, once the function may run it. */
  acquire(called: LocalFunction): Promise<FunctionThread>;
  /** Lets the longest waiting invocation run. */
  release(called: LocalFunction, thread: FunctionThread): void;
  threads(): FunctionThread[];
}

export interface ThreadPoolOptions {
  readonly specs: readonly FunctionSpec[];
  readonly skew: SharedArrayBuffer;
  readonly logs: LogRing;
  readonly threadsPerFunction: number;
  /** Whether functions with the same code, environment and memory run in the same threads. */
  readonly sharesThreads: boolean;
}

export function createThreadPools(options: ThreadPoolOptions): ThreadPools {
  const pools = new Map<string, Pool>();
  const functions = new Map<string, LocalFunction>();
  for (const spec of options.specs) {
    const name = options.sharesThreads ? sharedBy(spec) : spec.name;
    const pool = pools.get(name) ?? { threads: new Set(), idle: [], started: 0 };
    pools.set(name, pool);
    const created = { spec, pool, running: 0, waiting: [] };
    functions.set(spec.name, created);
    functions.set(spec.arn, created);
  }

  /** The idle thread that ran last, whose code is warm, or a new one. */
  function threadFor({ spec, pool }: LocalFunction): FunctionThread {
    for (let thread = pool.idle.pop(); thread; thread = pool.idle.pop()) {
      if (thread.isAlive()) return thread;
      pool.threads.delete(thread);
    }
    pool.started += 1;
    const { skew, logs, sharesThreads } = options;
    const thread = startFunctionThread({ spec, number: pool.started, isShared: sharesThreads, skew, logs });
    pool.threads.add(thread);
    return thread;
  }

  return {
    find: (name) => functions.get(name),
    async acquire(called) {
      if (called.running < options.threadsPerFunction) called.running += 1;
      else await new Promise<void>((resolve) => called.waiting.push(resolve));
      return threadFor(called);
    },
    release(called, thread) {
      if (thread.isAlive()) called.pool.idle.push(thread);
      else called.pool.threads.delete(thread);
      const next = called.waiting.shift();
      if (next) next();
      else called.running -= 1;
    },
    threads: () => [...pools.values()].flatMap((pool) => [...pool.threads]),
  };
}

/** What functions of one thread have in common. */
function sharedBy({ codeFolder, environment, memoryMb }: FunctionSpec): string {
  return JSON.stringify([codeFolder, environment, memoryMb]);
}
