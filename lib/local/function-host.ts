/** Entry point of a function's thread: loads the handler and runs invocations one at a time. */
import { enableCompileCache } from 'node:module';
import { getHeapStatistics } from 'node:v8';
import { parentPort, setEnvironmentData, workerData } from 'node:worker_threads';

/** The worker data of a thread. */
export interface HostData {
  /** File URL of the bundle. */
  readonly module: string;
  /** Name of the exported handler. */
  readonly handler: string;
  /** Folder of compiled code, shared by all threads: a quarter of a thread's start is compilation (measured). */
  readonly compileCache: string;
  /** Environment data for the function's thread. */
  readonly environmentData: readonly [string, SharedArrayBuffer];
}

/** One invocation with the event as JSON text. */
export interface HostRequest {
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

/** The result of an invocation. */
export interface HostReport {
  readonly response: HostResponse;
  /** Processor time of this thread in milliseconds, without threads that the handler starts. */
  readonly cpuMs: number;
  /** Heap of this thread and its buffers after the invocation, garbage included. */
  readonly memoryBytes: number;
}

type Handler = (event: unknown, context: unknown) => Promise<unknown>;

const { module, handler, compileCache, environmentData } = workerData as HostData;
enableCompileCache(compileCache);
// Before the bundle is loaded, which reads the clock skew once.
setEnvironmentData(...environmentData);

let loaded: Promise<Handler> | undefined;

function load(): Promise<Handler> {
  loaded ??= import(module).then((exports: Record<string, Handler | undefined>) => {
    const found = exports[handler];
    if (!found) throw new Error(`${module} exports no ${handler}`);
    return found;
  });
  return loaded;
}

async function invoke(request: HostRequest): Promise<HostResponse> {
  try {
    const handle = await load();
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
