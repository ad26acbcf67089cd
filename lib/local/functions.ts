/** Lambda, locally: each function is a pool of threads that run its bundle, one invocation at a time per thread. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { transformSync } from 'esbuild';
import { clockSkewKey } from '../adapters/clock.ts';
import { localSecret } from './aws/sigv4.ts';
import type { HostData, HostReport, HostRequest } from './function-host.ts';
import type { LogRing } from './logs.ts';

/** A function as the template describes it. */
export interface FunctionSpec {
  readonly name: string;
  readonly arn: string;
  readonly codeFolder: string;
  /** `<file>.<export>`. */
  readonly handler: string;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
}

/** An invocation that failed, in the words of Lambda. */
export class InvocationFailed extends Error {
  /** Name of the error as Lambda reports it: the handler's own, or `Runtime.ExitError`, `Sandbox.Timedout`. */
  readonly errorType: string;

  constructor(errorType: string, message: string) {
    super(message);
    this.name = 'InvocationFailed';
    this.errorType = errorType;
  }
}

/** An invocation that has ended. */
export interface Invocation {
  readonly name: string;
  /** Access key id of the thread that ran it, by which its calls are told. */
  readonly principal: string;
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
  readonly ms: number;
  /** Processor time of the thread; null where it ended with the invocation. */
  readonly cpuMs: number | null;
}

export interface Functions {
  /**
   * Runs a function and returns its answer.
   *
   * @param name name or ARN
   * @throws InvocationFailed
   */
  invoke(name: string, event: unknown): Promise<unknown>;
  /** Ends the thread that has this access key id, in the middle of what it does. */
  kill(principal: string): void;
  /** Names of the functions that run or wait for a thread, one entry per invocation. */
  running(): readonly string[];
  /** Called whenever an invocation has ended. */
  onEnd(listener: (ended: Invocation) => void): void;
  close(): Promise<void>;
}

/** Lambda's limit for events and answers of synchronous invocations. */
export const payloadBytesMax = 6 * 1024 * 1024;

/** Threads per function; further invocations wait for one, as a Lambda at its concurrency limit has callers wait. */
const threadsMax = 4;

/** The thread's entry as plain JavaScript: to strip its types, each thread would load a compiler (90 ms). */
const hostUrl = new URL(
  `data:text/javascript,${encodeURIComponent(
    transformSync(readFileSync(new URL('./function-host.ts', import.meta.url), 'utf8'), { loader: 'ts' })
      .code,
  )}`,
);

interface Thread {
  readonly principal: string;
  readonly worker: Worker;
  busy: boolean;
  /** Settles the invocation that runs. */
  settle: ((outcome: HostReport | InvocationFailed) => void) | null;
}

interface Pool {
  readonly spec: FunctionSpec;
  readonly threads: Set<Thread>;
  /** Invocations that wait for a thread to become idle. */
  readonly waiting: ((thread: Thread) => void)[];
  started: number;
}

export function createFunctions(options: {
  specs: readonly FunctionSpec[];
  skew: SharedArrayBuffer;
  logs: LogRing;
}): Functions {
  const pools = new Map<string, Pool>();
  for (const spec of options.specs) {
    const pool: Pool = { spec, threads: new Set(), waiting: [], started: 0 };
    pools.set(spec.name, pool);
    pools.set(spec.arn, pool);
  }
  const running: string[] = [];
  const listeners: ((ended: Invocation) => void)[] = [];

  function startThread(pool: Pool): Thread {
    const { spec } = pool;
    pool.started += 1;
    // A key id of its own per thread, so that a fault can end exactly the thread that calls.
    const principal = `${spec.name}~${pool.started}`;
    const [file = '', handler = ''] = spec.handler.split('.');
    const data: HostData = {
      module: pathToFileURL(`${spec.codeFolder}/${file}.mjs`).href,
      handler,
      environmentData: [clockSkewKey, options.skew],
    };
    const worker = new Worker(hostUrl, {
      name: principal,
      workerData: data,
      env: {
        ...spec.environment,
        AWS_LAMBDA_FUNCTION_NAME: spec.name,
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(spec.memoryMb),
        AWS_ACCESS_KEY_ID: principal,
        AWS_SECRET_ACCESS_KEY: localSecret(principal),
      },
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    for (const stream of [worker.stdout, worker.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => options.logs.write(spec.name, text));
    }
    const thread: Thread = { principal, worker, busy: true, settle: null };
    pool.threads.add(thread);
    worker.on('message', (report: HostReport) => thread.settle?.(report));
    worker.on('error', (error) => {
      options.logs.write(spec.name, String(error instanceof Error ? error.stack : error));
    });
    worker.on('exit', (code) => {
      pool.threads.delete(thread);
      thread.settle?.(
        new InvocationFailed('Runtime.ExitError', `Runtime exited with error: exit status ${code}`),
      );
    });
    return thread;
  }

  function acquire(pool: Pool): Thread | Promise<Thread> {
    for (const thread of pool.threads) {
      if (thread.busy) continue;
      thread.busy = true;
      return thread;
    }
    if (pool.threads.size < threadsMax) return startThread(pool);
    return new Promise((resolve) => pool.waiting.push(resolve));
  }

  /** Hands a thread that is done, or the place of one that ended, to the invocation that waits longest. */
  function release(pool: Pool, thread: Thread): void {
    const next = pool.waiting.shift();
    if (next) next(pool.threads.has(thread) ? thread : startThread(pool));
    else thread.busy = false;
  }

  function run(pool: Pool, thread: Thread, event: string): Promise<HostReport | InvocationFailed> {
    const { spec } = pool;
    const requestId = randomUUID();
    const timeoutMs = spec.timeoutSeconds * 1000;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        thread.settle?.(
          new InvocationFailed(
            'Sandbox.Timedout',
            `RequestId: ${requestId} Error: Task timed out after ${spec.timeoutSeconds}.00 seconds`,
          ),
        );
        end(pool, thread);
      }, timeoutMs);
      thread.settle = (outcome) => {
        clearTimeout(timer);
        thread.settle = null;
        resolve(outcome);
      };
      const request: HostRequest = {
        event,
        requestId,
        deadline: Date.now() + timeoutMs,
        functionName: spec.name,
        functionArn: spec.arn,
        memoryMb: spec.memoryMb,
      };
      thread.worker.postMessage(request);
    });
  }

  function end(pool: Pool, thread: Thread): void {
    pool.threads.delete(thread);
    void thread.worker.terminate();
  }

  async function invoke(name: string, event: unknown): Promise<unknown> {
    const pool = pools.get(name);
    if (!pool) throw new Error(`there is no function ${name}`);
    const text = JSON.stringify(event);
    if (Buffer.byteLength(text) > payloadBytesMax) {
      throw new InvocationFailed('RequestEntityTooLargeException', 'the event is larger than 6 MB');
    }
    running.push(pool.spec.name);
    const thread = await acquire(pool);
    const startedAt = performance.now();
    const outcome = await run(pool, thread, text);
    release(pool, thread);
    running.splice(running.indexOf(pool.spec.name), 1);
    const ended: Invocation = {
      name: pool.spec.name,
      principal: thread.principal,
      startedAt,
      ms: performance.now() - startedAt,
      cpuMs: outcome instanceof InvocationFailed ? null : outcome.cpuMs,
    };
    for (const listener of listeners) listener(ended);
    return payloadOf(outcome, pool.spec.name, options.logs);
  }

  return {
    invoke,
    kill(principal) {
      for (const pool of new Set(pools.values())) {
        for (const thread of pool.threads) if (thread.principal === principal) end(pool, thread);
      }
    },
    running: () => [...running],
    onEnd: (listener) => listeners.push(listener),
    async close() {
      const threads = [...new Set(pools.values())].flatMap((pool) => [...pool.threads]);
      await Promise.all(threads.map((thread) => thread.worker.terminate()));
    },
  };
}

function payloadOf(outcome: HostReport | InvocationFailed, name: string, logs: LogRing): unknown {
  if (outcome instanceof InvocationFailed) {
    logs.write(name, outcome.message);
    throw outcome;
  }
  const { answer } = outcome;
  if ('error' in answer) {
    logs.write(name, answer.error.trace.join('\n'));
    throw new InvocationFailed(answer.error.errorType, answer.error.errorMessage);
  }
  if (Buffer.byteLength(answer.payload) > payloadBytesMax) {
    throw new InvocationFailed('Function.ResponseSizeTooLarge', 'the answer is larger than 6 MB');
  }
  return JSON.parse(answer.payload);
}
