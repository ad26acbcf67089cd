/** Entry point of a thread of functions: loads their handlers and runs invocations one at a time. */
import { enableCompileCache } from 'node:module';
import { getHeapStatistics } from 'node:v8';
import { parentPort, setEnvironmentData, workerData } from 'node:worker_threads';

/** The worker data of a thread. */
export interface HostData {
  /** Folder of compiled code, shared by all threads: a quarter of a thread's start is compilation (measured). */
  readonly compileCache: string;
  /** Environment data of the thread. */
  readonly environmentData: readonly [string, SharedArrayBuffer];
}

/** One invocation with the event as JSON text. */
export interface HostRequest {
  /** File URL of the function's module. */
  readonly module: string;
  /** Name of the exported handler. */
  readonly handler: string;
  /** Environment variables that differ between the functions of a thread. */
  readonly variables: Readonly<Record<string, string>>;
  readonly event: string;
  readonly requestId: string;
  /** Unix milliseconds, real time: timeouts do not follow the test clock. */
  readonly deadline: number;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
}

export type HostResponse =
  | { readonly payload: string }
  | {
      readonly error: { readonly errorType: string; readonly errorMessage: string; readonly trace: string[] };
    };

/** Output of a function. */
export interface HostOutput {
  readonly functionName: string;
  readonly text: string;
}

/** The result of an invocation. */
export interface HostReport {
  readonly response: HostResponse;
  /** Processor time of this thread in milliseconds, without threads that the handler starts. */
  readonly cpuMs: number;
  /** Heap of this thread and its buffers after the invocation, garbage included. */
  readonly memoryBytes: number;
}

type Handler = (event: unknown, context: unknown) => Promise<unknown>;

const { compileCache, environmentData } = workerData as HostData;
enableCompileCache(compileCache);
// Before the bundle is loaded, which reads the clock skew once.
setEnvironmentData(...environmentData);

/** Name of the running function, or of the one that ran last. */
let functionName = '';

// With the function's name: the streams of a thread tell nothing of who wrote to them.
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (chunk: string | Uint8Array) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    parentPort?.postMessage({ functionName, text } satisfies HostOutput);
    return true;
  };
}

async function load({ module, handler }: HostRequest): Promise<Handler> {
  const exports: Record<string, Handler | undefined> = await import(module);
  const found = exports[handler];
  if (!found) throw new Error(`${module} exports no ${handler}`);
  return found;
}

async function invoke(request: HostRequest): Promise<HostResponse> {
  try {
    functionName = request.functionName;
    Object.assign(process.env, request.variables);
    const handle = await load(request);
    const context = {
      awsRequestId: request.requestId,
      functionName: request.functionName,
      functionVersion: '$LATEST',
      invokedFunctionArn: request.functionArn,
      memoryLimitInMB: String(request.memoryMb),
      callbackWaitsForEmptyEventLoop: false,
      getRemainingTimeInMillis: () => Math.max(request.deadline - Date.now(), 0),
    };
    const result = await handle(JSON.parse(request.event), context);
    return { payload: JSON.stringify(result) ?? 'null' };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    return {
      error: {
        errorType: error.name,
        errorMessage: error.message,
        trace: error.stack?.split('\n') ?? [],
      },
    };
  }
}

parentPort?.on('message', async (request: HostRequest) => {
  const before = process.threadCpuUsage();
  const response = await invoke(request);
  const { user, system } = process.threadCpuUsage(before);
  const { total_heap_size: heapBytes, external_memory: bufferBytes } = getHeapStatistics();
  parentPort?.postMessage({
    response,
    cpuMs: (user + system) / 1000,
    memoryBytes: heapBytes + bufferBytes,
  } satisfies HostReport);
});
