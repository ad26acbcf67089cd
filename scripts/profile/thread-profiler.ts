/** V8's profiler in the threads of the functions ("Inspector", Node.js documentation; domains `NodeWorker` and `Profiler`). */
import { type NodeWorker, type Profiler, Session } from 'node:inspector/promises';

/** The profile of one thread. */
export interface ThreadProfile {
  /** Name of the thread: `<function>~<number>`. */
  readonly thread: string;
  readonly profile: Profiler.Profile;
}

export interface ThreadProfiler {
  /** Starts the profiler in all threads that run, and in those that start later. */
  start(): Promise<void>;
  /** Ends the profiles; threads that have ended meanwhile have none. */
  stop(): Promise<ThreadProfile[]>;
  close(): void;
}

type Answer = {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
};

/** Microseconds between samples: short beside an invocation, and the profiler still costs little. */
const samplingIntervalUs = 200;

/** Attaches to every thread of this process, which costs nothing until `start`. */
export async function attachProfiler(): Promise<ThreadProfiler> {
  const session = new Session();
  session.connect();
  /** Attached threads by session id. */
  const threads = new Map<string, string>();
  const open = new Map<number, { readonly sessionId: string } & PromiseWithResolvers<unknown>>();
  let lastId = 0;
  let isRunning = false;

  async function call(sessionId: string, method: string, params: object = {}): Promise<unknown> {
    lastId += 1;
    const id = lastId;
    const answer = { sessionId, ...Promise.withResolvers<unknown>() };
    open.set(id, answer);
    await session.post('NodeWorker.sendMessageToWorker', {
      sessionId,
      message: JSON.stringify({ id, method, params }),
    });
    return await answer.promise;
  }

  async function startIn(sessionId: string): Promise<void> {
    await call(sessionId, 'Profiler.enable');
    await call(sessionId, 'Profiler.setSamplingInterval', { interval: samplingIntervalUs });
    await call(sessionId, 'Profiler.start');
  }

  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) => {
    threads.set(sessionId, nameOf(workerInfo));
    if (isRunning) startIn(sessionId).catch(() => {});
  });
  session.on('NodeWorker.detachedFromWorker', ({ params: { sessionId } }) => {
    threads.delete(sessionId);
    for (const answer of open.values())
      if (answer.sessionId === sessionId) answer.reject(new Error('the thread has ended'));
  });
  session.on('NodeWorker.receivedMessageFromWorker', ({ params: { message } }) => {
    const { id, result, error } = JSON.parse(message) as Answer;
    const answer = open.get(id);
    open.delete(id);
    if (error) answer?.reject(new Error(error.message));
    else answer?.resolve(result);
  });
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });

  return {
    async start() {
      isRunning = true;
      await Promise.all([...threads.keys()].map(startIn));
    },
    async stop() {
      isRunning = false;
      return await Promise.all(
        [...threads].map(async ([sessionId, thread]) => {
          const { profile } = (await call(sessionId, 'Profiler.stop')) as Profiler.StopReturnType;
          return { thread, profile };
        }),
      );
    },
    close: () => session.disconnect(),
  };
}

/** Titles are `[worker 3] <name>`. */
function nameOf({ title }: NodeWorker.WorkerInfo): string {
  return title.replace(/^\[worker \d+\] /, '');
}
