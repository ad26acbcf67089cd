/** One thread of one or several functions: starts it with their environment and runs one invocation at a time. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { stop, transformSync } from 'esbuild';
import { clockSkewKey } from '../adapters/clock.ts';
import { localSecret } from './aws/sigv4.ts';
import type { HostData, HostOutput, HostReport, HostRequest } from './function-host.ts';
import type { LogRing } from './logs.ts';

/** A function of the templates. */
export interface FunctionSpec {
  readonly name: string;
  readonly arn: string;
  readonly codeFolder: string;
  /** `<file>.<export>`. */
  readonly handler: string;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Default: `Terminate`, which drops invocations in a recursive loop. `PutFunctionRecursionConfig` changes it. */
  recursiveLoop?: (typeof recursiveLoopSettings)[number];
}

export const recursiveLoopSettings = ['Allow', 'Terminate'] as const;

/** A failed invocation. */
export class InvocationFailed extends Error {
  /** Error type as Lambda reports it: the handler's error, `Runtime.ExitError` or `Sandbox.Timedout`. */
  readonly errorType: string;

  constructor(errorType: string, message: string) {
    super(message);
    this.name = 'InvocationFailed';
    this.errorType = errorType;
  }
}

export interface FunctionThread {
  /** Access key id of the AWS calls of a function in this thread: one for each thread, so that a fault can kill the calling one. */
  principalOf(spec: FunctionSpec): string;
  /** The function that runs in it, or ran last. */
  current(): FunctionSpec;
  /** Whether the thread can run further invocations. */
  isAlive(): boolean;
  /**
   * Runs the handler of a function on an event (JSON text); one invocation at a time.
   *
   * @param trace the trace header of the invocation
   */
  run(spec: FunctionSpec, event: string, trace: string): Promise<HostReport | InvocationFailed>;
  terminate(): Promise<void>;
}

const compileCache = join(import.meta.dirname, '../../.local/compile-cache');

/** The entry point as JavaScript: with types, each thread would load a compiler (90 ms). */
const hostUrl = new URL(`data:text/javascript,${encodeURIComponent(compiled('./function-host.ts'))}`);

function compiled(file: string): string {
  const { code } = transformSync(readFileSync(new URL(file, import.meta.url), 'utf8'), { loader: 'ts' });
  // Else its process stays.
  stop();
  return code;
}

/** A time in the past: credentials that have expired are read again for each call. */
const expired = '2000-01-01T00:00:00Z';

export interface ThreadStart {
  /** The first function of the thread; others in it have the same code and environment. */
  readonly spec: FunctionSpec;
  /** Of the thread among those of its functions. */
  readonly number: number;
  /** Limit of the heap. */
  readonly heapMb: number;
  /** Clock skew (`newSkew`). */
  readonly skew: SharedArrayBuffer;
  readonly logs: LogRing;
  /** Called when it can run no further invocations. */
  readonly onEnd: () => void;
}

export function startFunctionThread(options: ThreadStart): FunctionThread {
  const { number, logs } = options;
  const worker = startWorker(options);
  let current = options.spec;
  let isAlive = true;
  let complete: ((outcome: HostReport | InvocationFailed) => void) | null = null;

  // What Node prints itself; functions post theirs.
  for (const stream of [worker.stdout, worker.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => logs.write(current.name, text));
  }
  worker.on('message', (message: HostReport | HostOutput) => {
    if ('text' in message) logs.write(message.functionName, message.text);
    else complete?.(message);
  });
  worker.on('error', (error) => {
    logs.write(current.name, String(error instanceof Error ? error.stack : error));
  });
  worker.on('exit', (code) => {
    end();
    complete?.(new InvocationFailed('Runtime.ExitError', `Runtime exited with error: exit status ${code}`));
  });

  function end(): void {
    if (isAlive) options.onEnd();
    isAlive = false;
  }

  async function terminate(): Promise<void> {
    end();
    await worker.terminate();
  }

  const principalOf = ({ name }: FunctionSpec) => `${name}~${number}`;

  function run(spec: FunctionSpec, event: string, trace: string): Promise<HostReport | InvocationFailed> {
    current = spec;
    const [file = '', handler = ''] = spec.handler.split('.');
    const principal = principalOf(spec);
    const requestId = randomUUID();
    const timeoutMs = spec.timeoutSeconds * 1000;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        const message = `RequestId: ${requestId} Error: Task timed out after ${spec.timeoutSeconds}.00 seconds`;
        complete?.(new InvocationFailed('Sandbox.Timedout', message));
        void terminate();
      }, timeoutMs);
      complete = (outcome) => {
        clearTimeout(timer);
        complete = null;
        resolve(outcome);
      };
      worker.postMessage({
        module: pathToFileURL(`${spec.codeFolder}/${file}.mjs`).href,
        handler,
        variables: variablesOf(spec, principal, trace),
        event,
        requestId,
        deadline: Date.now() + timeoutMs,
        functionName: spec.name,
        functionArn: spec.arn,
        memoryMb: spec.memoryMb,
      } satisfies HostRequest);
    });
  }

  return { principalOf, current: () => current, isAlive: () => isAlive, run, terminate };
}

/** The environment variables of an invocation that differ between the functions of a thread. */
function variablesOf(spec: FunctionSpec, principal: string, trace: string): HostRequest['variables'] {
  return {
    AWS_LAMBDA_FUNCTION_NAME: spec.name,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(spec.memoryMb),
    _X_AMZN_TRACE_ID: trace,
    AWS_ACCESS_KEY_ID: principal,
    AWS_SECRET_ACCESS_KEY: localSecret(principal),
    AWS_CREDENTIAL_EXPIRATION: expired,
  };
}

function startWorker(options: ThreadStart): Worker {
  const { spec, number, heapMb, skew } = options;
  return new Worker(hostUrl, {
    name: `${spec.name}~${number}`,
    workerData: {
      compileCache,
      environmentData: [clockSkewKey, skew],
    } satisfies HostData,
    env: spec.environment,
    // Above its memory Lambda kills a function, too. Buffers do not count here. With V8's own young generation of up to 48 MB,
    // a thread takes twice the memory and no less time (measured).
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 6 },
    execArgv: [],
    stdout: true,
    stderr: true,
  });
}
