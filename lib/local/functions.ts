/** Lambda functions: pools of threads that run their code, one invocation per thread at a time. */
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

/** The threads of a function, or of several. */
interface Pool {
  readonly threads: Set<FunctionThread>;
  readonly idle: FunctionThread[];
  started: number;
}

interface LocalFunction {
  readonly spec: FunctionSpec;
  readonly pool: Pool;
  /** Number of invocations that have a thread. */
  running: number;
  /** Invocations that wait for a thread. */
  readonly waiting: (() => void)[];
}

/**
 * @param options.sharesThreads whether functions with the same code, environment and memory run in the same threads, in which
 * their modules are loaded and compiled once; default: each function has threads of its own, as in Lambda. Each invocation has the
 * role of its function either way.
 */
export function createFunctions(options: {
  specs: readonly FunctionSpec[];
  skew: SharedArrayBuffer;
  logs: LogRing;
  limits?: Partial<ServiceLimits['lambda']>;
  sharesThreads?: boolean | undefined;
}): Functions {
  const { concurrentExecutions, threadsPerFunction } = { ...generousLimits.lambda, ...options.limits };
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
  const running: string[] = [];
  const listeners: ((ended: Invocation) => void)[] = [];
  const throttleListeners: ((name: string) => void)[] = [];

  /** The idle thread that ran last, whose code is warm, or a new one. */
  function threadFor({ spec, pool }: LocalFunction): FunctionThread {
    for (let thread = pool.idle.pop(); thread; thread = pool.idle.pop()) {
      if (thread.isAlive()) return thread;
      pool.threads.delete(thread);
    }
    pool.started += 1;
    const { skew, logs } = options;
    const thread = startFunctionThread({ spec, number: pool.started, skew, logs });
    pool.threads.add(thread);
    return thread;
  }

  async function acquire(called: LocalFunction): Promise<FunctionThread> {
    if (called.running < threadsPerFunction) called.running += 1;
    else await new Promise<void>((resolve) => called.waiting.push(resolve));
    return threadFor(called);
  }

  /** Lets the longest waiting invocation run. */
  function release(called: LocalFunction, thread: FunctionThread): void {
    if (thread.isAlive()) called.pool.idle.push(thread);
    else called.pool.threads.delete(thread);
    const next = called.waiting.shift();
    if (next) next();
    else called.running -= 1;
  }

  async function invoke(name: string, event: unknown): Promise<unknown> {
    const called = functions.get(name);
    if (!called) throw new Error(`there is no function ${name}`);
    const { spec } = called;
    const text = JSON.stringify(event);
    if (Buffer.byteLength(text) > payloadBytesMax) {
      throw new InvocationFailed(
        'RequestEntityTooLargeException',
        `Request must be smaller than ${payloadBytesMax} bytes.`,
      );
    }
    if (running.length >= concurrentExecutions) {
      for (const listener of throttleListeners) listener(spec.name);
      throw new InvocationFailed(throttled, 'Rate Exceeded.');
    }
    running.push(spec.name);
    const thread = await acquire(called);
    const startedAt = performance.now();
    const outcome = await thread.run(spec, text);
    release(called, thread);
    running.splice(running.indexOf(spec.name), 1);
    const ended: Invocation = {
      name: spec.name,
      principal: thread.principalOf(spec),
      startedAt,
      ms: performance.now() - startedAt,
      ...measuredOf(outcome),
      timeoutSeconds: spec.timeoutSeconds,
      memoryMb: spec.memoryMb,
    };
    for (const listener of listeners) listener(ended);
    return payloadOf(outcome, spec.name, options.logs);
  }

  const allThreads = () => [...pools.values()].flatMap((pool) => [...pool.threads]);
  return {
    invoke,
    kill(principal) {
      for (const thread of allThreads()) {
        if (thread.principalOf(thread.current()) === principal) void thread.terminate();
      }
    },
    running: () => [...running],
    onEnd: (listener) => listeners.push(listener),
    onThrottled: (listener) => throttleListeners.push(listener),
    async close() {
      await Promise.all(allThreads().map((thread) => thread.terminate()));
    },
  };
}

/** What functions of one thread have in common. */
function sharedBy({ codeFolder, environment, memoryMb }: FunctionSpec): string {
  return JSON.stringify([codeFolder, environment, memoryMb]);
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
