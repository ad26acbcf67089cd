/** Lambda functions: pools of threads that run their code, one invocation per thread at a time. */
import type { HostReport } from './function-host.ts';
import { type FunctionSpec, InvocationFailed } from './function-thread.ts';
import { generousLimits, type ServiceLimits } from './limits.ts';
import { chainInvocationsMax, traceOf } from './lineage.ts';
import type { LogRing } from './logs.ts';
import { createThreadPools } from './thread-pools.ts';

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

/** How a function is called. */
export interface InvocationCall {
  readonly traces?: readonly string[];
  readonly onStart?: () => void;
}

export interface Functions {
  /**
   * Invokes a function synchronously and returns its result.
   *
   * @param name name or ARN
   * @param call.traces trace headers of the messages of the event: they continue a chain of requests; default: a new chain
   * @param call.onStart called when a thread takes the invocation
   * @throws InvocationFailed
   */
  invoke(name: string, event: unknown, call?: InvocationCall): Promise<unknown>;
  /** Terminates the thread with this access key id. */
  kill(principal: string): void;
  /** Function names of the running and waiting invocations. */
  running(): readonly string[];
  /** Calls `listener` after each invocation. */
  onEnd(listener: (ended: Invocation) => void): void;
  /** Calls `listener` with the name of a function whose invocation was above the account's concurrency. */
  onThrottled(listener: (name: string) => void): void;
  /** The metric `RecursiveInvocationsDropped` of each function that has it. */
  recursiveInvocationsDropped(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

/** Payload limit of synchronous invocations, request and response each (Lambda developer guide, "Lambda quotas"). */
export const payloadBytesMax = 6 * 1024 * 1024;

/** Error type of an invocation above the account's concurrency (Lambda API reference, "Invoke"). */
export const throttled = 'TooManyRequestsException';

/** Error type of an invocation in a recursive loop (Lambda API reference, "Invoke"). */
export const recursive = 'RecursiveInvocationException';

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
  const { specs, skew, logs, sharesThreads = false } = options;
  const pools = createThreadPools({ specs, skew, logs, threadsPerFunction, sharesThreads });
  const running: string[] = [];
  const listeners: ((ended: Invocation) => void)[] = [];
  const throttleListeners: ((name: string) => void)[] = [];
  const dropped = new Map<string, number>();

  /** The trace header of an invocation. @throws InvocationFailed where the chain has had too many of this function */
  function traceFor({ name, arn, recursiveLoop }: FunctionSpec, traces: readonly string[]): string {
    const trace = traceOf(arn, traces) ?? (recursiveLoop === 'Allow' ? traceOf(arn, []) : null);
    if (trace !== null) return trace;
    dropped.set(name, (dropped.get(name) ?? 0) + 1);
    const reason = `Lambda dropped an invocation after ${chainInvocationsMax} in one chain of requests.`;
    logs.write(name, `${recursive}: ${reason}`);
    throw new InvocationFailed(recursive, reason);
  }

  async function invoke(
    name: string,
    event: unknown,
    { traces = [], onStart }: InvocationCall = {},
  ): Promise<unknown> {
    const called = pools.find(name);
    if (!called) throw new Error(`there is no function ${name}`);
    const { spec } = called;
    const text = payloadWith(event);
    const trace = traceFor(spec, traces);
    if (running.length >= concurrentExecutions) {
      for (const listener of throttleListeners) listener(spec.name);
      throw new InvocationFailed(throttled, 'Rate Exceeded.');
    }
    running.push(spec.name);
    const thread = await pools.acquire(called);
    onStart?.();
    const startedAt = performance.now();
    const outcome = await thread.run(spec, text, trace);
    pools.release(called, thread);
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
    return payloadOf(outcome, spec.name, logs);
  }

  return {
    invoke,
    kill(principal) {
      for (const thread of pools.threads()) {
        if (thread.principalOf(thread.current()) === principal) void thread.terminate();
      }
    },
    running: () => [...running],
    onEnd: (listener) => listeners.push(listener),
    onThrottled: (listener) => throttleListeners.push(listener),
    recursiveInvocationsDropped: () => Object.fromEntries(dropped),
    async close() {
      await Promise.all(pools.threads().map((thread) => thread.terminate()));
    },
  };
}

/** @throws InvocationFailed where the event is too large */
function payloadWith(event: unknown): string {
  const text = JSON.stringify(event);
  if (Buffer.byteLength(text) <= payloadBytesMax) return text;
  const reason = `Request must be smaller than ${payloadBytesMax} bytes.`;
  throw new InvocationFailed('RequestEntityTooLargeException', reason);
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
