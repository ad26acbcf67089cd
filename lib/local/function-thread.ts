/** One thread of a function: starts it with the function's environment and runs one invocation at a time. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { transformSync } from 'esbuild';
import { clockSkewKey } from '../adapters/clock.ts';
import { localSecret } from './aws/sigv4.ts';
import type { HostData, HostReport, HostRequest } from './function-host.ts';
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
}

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
  /** Access key id of its AWS calls. */
  readonly principal: string;
  /** Whether the thread can run further invocations. */
  isAlive(): boolean;
  /** Runs the handler on an event (JSON text); one invocation at a time. */
  run(event: string): Promise<HostReport | InvocationFailed>;
  terminate(): Promise<void>;
}

const compileCache = join(import.meta.dirname, '../../.local/compile-cache');

/** The entry point as JavaScript: with types, each thread would load a compiler (90 ms). */
const hostUrl = new URL(
  `data:text/javascript,${encodeURIComponent(
    transformSync(readFileSync(new URL('./function-host.ts', import.meta.url), 'utf8'), { loader: 'ts' })
      .code,
  )}`,
);

/**
 * Starts a thread.
 *
 * @param options.number of the thread: one access key id per thread, so that a fault can kill the calling thread
 * @param options.skew clock skew (`newSkew`)
 */
export function startFunctionThread(options: {
  spec: FunctionSpec;
  number: number;
  skew: SharedArrayBuffer;
  logs: LogRing;
}): FunctionThread {
  const { spec, logs } = options;
  const principal = `${spec.name}~${options.number}`;
  const worker = startWorker(spec, principal, options.skew);
  let isAlive = true;
  let complete: ((outcome: HostReport | InvocationFailed) => void) | null = null;

  for (const stream of [worker.stdout, worker.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => logs.write(spec.name, text));
  }
  worker.on('message', (report: HostReport) => complete?.(report));
  worker.on('error', (error) => {
    logs.write(spec.name, String(error instanceof Error ? error.stack : error));
  });
  worker.on('exit', (code) => {
    isAlive = false;
    complete?.(new InvocationFailed('Runtime.ExitError', `Runtime exited with error: exit status ${code}`));
  });

  async function terminate(): Promise<void> {
    isAlive = false;
    await worker.terminate();
  }

  function run(event: string): Promise<HostReport | InvocationFailed> {
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
        event,
        requestId,
        deadline: Date.now() + timeoutMs,
        functionName: spec.name,
        functionArn: spec.arn,
        memoryMb: spec.memoryMb,
      } satisfies HostRequest);
    });
  }

  return { principal, isAlive: () => isAlive, run, terminate };
}

function startWorker(spec: FunctionSpec, principal: string, skew: SharedArrayBuffer): Worker {
  const [file = '', handler = ''] = spec.handler.split('.');
  return new Worker(hostUrl, {
    name: principal,
    workerData: {
      module: pathToFileURL(`${spec.codeFolder}/${file}.mjs`).href,
      handler,
      compileCache,
      environmentData: [clockSkewKey, skew],
    } satisfies HostData,
    env: {
      ...spec.environment,
      AWS_LAMBDA_FUNCTION_NAME: spec.name,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(spec.memoryMb),
      AWS_ACCESS_KEY_ID: principal,
      AWS_SECRET_ACCESS_KEY: localSecret(principal),
    },
    // The heap of a function's memory: above it the process is killed, as in Lambda. Buffers do not count here.
    resourceLimits: { maxOldGenerationSizeMb: spec.memoryMb },
    execArgv: [],
    stdout: true,
    stderr: true,
  });
}
