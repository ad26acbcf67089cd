/** Lambda functions: pools of threads that run their code, one invocation per thread at a time. */

import type { MetricStore } from './cloudwatch/metric-store.ts';
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
  /** Heap of the thread and its buffers after the invocation, with garbage and what other functions left; null when the thread ended. */
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
  /** A function waits for the answer. */
  readonly isNested?: boolean;
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
  /** From its next invocation on, a function has the code and configuration of this spec. @param spec one of those at the start */
  update(spec: FunctionSpec): void;
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
  /** Gives a function no concurrency, so that Lambda throttles its invocations, or ends that ("PutFunctionConcurrency"). */
  throttle(name: string, isThrottled: boolean): void;
  /** Ends all threads. Invocations that run or wait get no answer. */
  close(): Promise<void>;
}

/** Payload limit of synchronous invocations, request and response each (Lambda developer guide, "Lambda quotas"). */
export const payloadBytesMax = 6 * 1024 * 1024;

/** Error type of an invocation above the account's concurrency (Lambda API reference, "Invoke"). */
export const throttled = 'TooManyRequestsException';

/** Error type of an invocation in a recursive loop (Lambda API reference, "Invoke"). */
export const recursive = 'RecursiveInvocationException';

/** Functions share threads (`createThreadPools`); each invocation has the role, name and timeout of its function. */
export function createFunctions(options: {
  /** Of several of one name, the first is deployed until it is updated. */
  specs: readonly FunctionSpec[];
  skew: SharedArrayBuffer;
  logs: LogRing;
  limits?: Partial<ServiceLimits['lambda']>;
  /** "Types of metrics for Lambda functions", AWS Lambda Developer Guide. */
  metrics?: Pick<MetricStore, 'put'>;
  idleMs?: number;
}): Functions {
  const limits = { ...generousLimits.lambda, ...options.limits };
  const { logs, specs } = options;
  const pools = createThreadPools(specs, { ...options, limits });
  const all = [...new Set(pools.values())];
  const deployed = new Map([...specs].reverse().map((spec) => [spec.name, spec]));
  const running: string[] = [];
  const listeners: ((ended: Invocation) => void)[] = [];
  const throttleListeners: ((name: string) => void)[] = [];
  const concurrency = createConcurrency(limits.concurrentExecutions);
  const note = metricsOf(options.metrics);
  const loops = createLoopDetection(logs, note);
  let isClosed = false;

  async function invoke(
    name: string,
    event: unknown,
    { traces = [], onStart, isNested }: InvocationCall = {},
  ): Promise<unknown> {
    const spec = deployed.get(name.slice(name.lastIndexOf(':') + 1));
    const pool = spec && pools.get(spec);
    if (!pool) throw new Error(`there is no function ${name}`);
    const text = payloadWith(event);
    const trace = loops.traceFor(spec, traces);
    if (!concurrency.admits(spec.name, running.length)) {
      note('Throttles');
      for (const listener of throttleListeners) listener(spec.name);
      throw new InvocationFailed(throttled, 'Rate Exceeded.');
    }
    running.push(spec.name);
    const thread = await pool.acquire(spec, isNested);
    onStart?.();
    note('Invocations', { FunctionName: spec.name });
    const startedAt = performance.now();
    const outcome = await thread.run(spec, text, trace);
    // As where the process dies: nobody learns of it, so that no failed attempt is counted.
    if (isClosed) return await new Promise(() => {});
    pool.release(thread);
    running.splice(running.indexOf(spec.name), 1);
    const principal = thread.principalOf(spec);
    const ended = { principal, startedAt, ms: performance.now() - startedAt, ...measuredOf(spec, outcome) };
    for (const listener of listeners) listener(ended);
    return payloadOf(outcome, spec.name, logs);
  }

  return {
    invoke,
    update: (spec) => void deployed.set(spec.name, spec),
    kill(principal) {
      const threads = all.flatMap((pool) => pool.threads());
      for (const thread of threads) {
        if (thread.principalOf(thread.current()) === principal) void thread.terminate();
      }
    },
    running: () => [...running],
    onEnd: (listener) => listeners.push(listener),
    onThrottled: (listener) => throttleListeners.push(listener),
    recursiveInvocationsDropped: loops.dropped,
    throttle: concurrency.throttle,
    async close() {
      isClosed = true;
      await Promise.all(all.map((pool) => pool.close()));
    },
  };
}

/** Recursive-loop detection (`chainInvocationsMax`). */
function createLoopDetection(logs: LogRing, note: (metric: string) => void) {
  const dropped = new Map<string, number>();
  return {
    dropped: () => Object.fromEntries(dropped),
    /** The trace header of an invocation. @throws InvocationFailed where the chain has had too many of this function */
    traceFor({ name, arn, recursiveLoop }: FunctionSpec, traces: readonly string[]): string {
      const trace = traceOf(arn, traces) ?? (recursiveLoop === 'Allow' ? traceOf(arn, []) : null);
      if (trace !== null) return trace;
      dropped.set(name, (dropped.get(name) ?? 0) + 1);
      note('RecursiveInvocationsDropped');
      const reason = `Lambda dropped an invocation after ${chainInvocationsMax} in one chain of requests.`;
      logs.write(name, `${recursive}: ${reason}`);
      throw new InvocationFailed(recursive, reason);
    },
  };
}

/** Which functions get an execution of the account. */
function createConcurrency(most: number) {
  const without = new Set<string>();
  return {
    admits: (name: string, running: number) => running < most && !without.has(name),
    throttle(name: string, isThrottled: boolean): void {
      if (isThrottled) without.add(name);
      else without.delete(name);
    },
  };
}

function metricsOf(metrics: Pick<MetricStore, 'put'> | undefined) {
  return (name: string, dimensions: Readonly<Record<string, string>> = {}) =>
    metrics?.put({ namespace: 'AWS/Lambda', name, dimensions, value: 1 });
}

/** @throws InvocationFailed where the event is too large */
function payloadWith(event: unknown): string {
  const text = JSON.stringify(event);
  if (Buffer.byteLength(text) <= payloadBytesMax) return text;
  const reason = `Request must be smaller than ${payloadBytesMax} bytes.`;
  throw new InvocationFailed('RequestEntityTooLargeException', reason);
}

function measuredOf(
  { name, timeoutSeconds, memoryMb }: FunctionSpec,
  outcome: HostReport | InvocationFailed,
): Omit<Invocation, 'principal' | 'startedAt' | 'ms'> {
  const limits = { name, timeoutSeconds, memoryMb };
  if (outcome instanceof InvocationFailed) {
    return { ...limits, cpuMs: null, memoryBytes: null, errorType: outcome.errorType };
  }
  const { response, cpuMs, memoryBytes } = outcome;
  const errorType = 'error' in response ? response.error.errorType : null;
  return { ...limits, cpuMs, memoryBytes, errorType };
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
