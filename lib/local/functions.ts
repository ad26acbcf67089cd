/** Lambda functions: each is a pool of threads that run its bundle, one invocation per thread at a time. */
import type { HostReport } from './function-host.ts';
import {
  type FunctionSpec,
  type FunctionThread,
  InvocationFailed,
  startFunctionThread,
} from './function-thread.ts';
import { generousLimits, type ServiceLimits } from './limits.ts';
import type { LogRing } from './logs.ts';

/** A completed invocation. */
export interface Invocation {
  readonly name: string;
  /** Access key id of its thread, also the principal of its AWS calls. */
  readonly principal: string;
  /** Time base of `performance.now()`. */
  readonly startedAt: number;
  readonly ms: number;
  /** Processor time of the thread in milliseconds; null when the thread ended. */
  readonly cpuMs: number | null;
  /** Heap of the thread and its buffers after the invocation, garbage included; null when the thread ended. */
  readonly memoryBytes: number | null;
  /** Error type as Lambda reports it; null: the invocation succeeded. */
  readonly errorType: string | null;
  /** Limits of the function. */
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
}

export interface Functions {
  /**
   * Invokes a function synchronously and returns its result.
   *
   * @param name name or ARN
   * @throws InvocationFailed
   */
  invoke(name: string, event: unknown): Promise<unknown>;
  /** Terminates the thread with this access key id. */
  kill(principal: string): void;
  /** Function names of the running and waiting invocations. */
  running(): readonly string[];
  /** Calls `listener` after each invocation. */
  onEnd(listener: (ended: Invocation) => void): void;
  /** Calls `listener` with the name of a function whose invocation was above the account's concurrency. */
  onThrottled(listener: (name: string) => void): void;
  close(): Promise<void>;
}

/** Payload limit of synchronous invocations, request and response each (Lambda developer guide, "Lambda quotas"). */
export const payloadBytesMax = 6 * 1024 * 1024;

/** Error type of an invocation above the account's concurrency (Lambda API reference, "Invoke"). */
export const throttled = 'TooManyRequestsException';

interface Pool {
  readonly spec: FunctionSpec;
  readonly threads: Set<FunctionThread>;
  readonly idle: FunctionThread[];
  /** Invocations that wait for a thread. */
  readonly waiting: ((thread: FunctionThread) => void)[];
  started: number;
}

export function createFunctions(options: {
  specs: readonly FunctionSpec[];
  skew: SharedArrayBuffer;
  logs: LogRing;
  limits?: Partial<ServiceLimits['lambda']>;
}): Functions {
  const { concurrentExecutions, threadsPerFunction } = { ...generousLimits.lambda, ...options.limits };
  const pools = new Map<string, Pool>();
  for (const spec of options.specs) {
    const pool: Pool = { spec, threads: new Set(), idle: [], waiting: [], started: 0 };
    pools.set(spec.name, pool);
    pools.set(spec.arn, pool);
  }
  const running: string[] = [];
  const listeners: ((ended: Invocation) => void)[] = [];
  const throttleListeners: ((name: string) => void)[] = [];

  function startThread(pool: Pool): FunctionThread {
    pool.started += 1;
    const { skew, logs } = options;
    const thread = startFunctionThread({ spec: pool.spec, number: pool.started, skew, logs });
    pool.threads.add(thread);
    return thread;
  }

  function acquire(pool: Pool): FunctionThread | Promise<FunctionThread> {
    for (let thread = pool.idle.pop(); thread; thread = pool.idle.pop()) {
      if (thread.isAlive()) return thread;
      pool.threads.delete(thread);
    }
    if (pool.threads.size < threadsPerFunction) return startThread(pool);
    return new Promise((resolve) => pool.waiting.push(resolve));
  }

  /** Assigns the thread, or a new one if it ended, to the longest waiting invocation. */
  function release(pool: Pool, thread: FunctionThread): void {
    if (!thread.isAlive()) pool.threads.delete(thread);
    const next = pool.waiting.shift();
    if (next) next(thread.isAlive() ? thread : startThread(pool));
    else if (thread.isAlive()) pool.idle.push(thread);
  }

  async function invoke(name: string, event: unknown): Promise<unknown> {
    const pool = pools.get(name);
    if (!pool) throw new Error(`there is no function ${name}`);
    const text = JSON.stringify(event);
    if (Buffer.byteLength(text) > payloadBytesMax) {
      throw new InvocationFailed(
        'RequestEntityTooLargeException',
        `Request must be smaller than ${payloadBytesMax} bytes.`,
      );
    }
    if (running.length >= concurrentExecutions) {
      for (const listener of throttleListeners) listener(pool.spec.name);
      throw new InvocationFailed(throttled, 'Rate Exceeded.');
    }
    running.push(pool.spec.name);
    const thread = await acquire(pool);
    const startedAt = performance.now();
    const outcome = await thread.run(text);
    release(pool, thread);
    running.splice(running.indexOf(pool.spec.name), 1);
    const ended: Invocation = {
      name: pool.spec.name,
      principal: thread.principal,
      startedAt,
      ms: performance.now() - startedAt,
      ...measuredOf(outcome),
      timeoutSeconds: pool.spec.timeoutSeconds,
      memoryMb: pool.spec.memoryMb,
    };
    for (const listener of listeners) listener(ended);
    return payloadOf(outcome, pool.spec.name, options.logs);
  }

  const allThreads = () => [...new Set(pools.values())].flatMap((pool) => [...pool.threads]);
  return {
    invoke,
    kill(principal) {
      for (const thread of allThreads()) if (thread.principal === principal) void thread.terminate();
    },
    running: () => [...running],
    onEnd: (listener) => listeners.push(listener),
    onThrottled: (listener) => throttleListeners.push(listener),
    async close() {
      await Promise.all(allThreads().map((thread) => thread.terminate()));
    },
  };
}

function measuredOf(
  outcome: HostReport | InvocationFailed,
): Pick<Invocation, 'cpuMs' | 'memoryBytes' | 'errorType'> {
  if (outcome instanceof InvocationFailed) {
    return { cpuMs: null, memoryBytes: null, errorType: outcome.errorType };
  }
  const { response, cpuMs, memoryBytes } = outcome;
  return { cpuMs, memoryBytes, errorType: 'error' in response ? response.error.errorType : null };
}

function payloadOf(outcome: HostReport | InvocationFailed, name: string, logs: LogRing): unknown {
  if (outcome instanceof InvocationFailed) {
    logs.write(name, outcome.message);
    throw outcome;
  }
  const { response } = outcome;
  if ('error' in response) {
    logs.write(name, response.error.trace.join('\n'));
    throw new InvocationFailed(response.error.errorType, response.error.errorMessage);
  }
  if (Buffer.byteLength(response.payload) > payloadBytesMax) {
    throw new InvocationFailed(
      'Function.ResponseSizeTooLarge',
      `Response payload size exceeded maximum allowed payload size (${payloadBytesMax} bytes).`,
    );
  }
  return JSON.parse(response.payload);
}
