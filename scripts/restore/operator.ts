/** Runs the operator's tasks of a drill. */
import { Worker } from 'node:worker_threads';
import type { Cloud } from '../../lib/local/index.ts';
import type { Task, Tasks } from './operator-thread.ts';

type Result<K extends keyof Tasks> = Awaited<ReturnType<Tasks[K]>>;

/** Where a task runs. The clock of the cloud is that of the threads of this process. */
export interface Place {
  readonly cloud: Pick<Cloud, 'environment'>;
  /** Default: that of the cloud. */
  readonly table?: string;
  /** Milliseconds after which the task is killed; absent: never. */
  readonly killedAfterMs?: number;
}

/** @returns null where the task was killed */
export async function operate<K extends keyof Tasks>(
  { cloud, table, killedAfterMs }: Place,
  name: K,
  options: Parameters<Tasks[K]>[0],
): Promise<Result<K> | null> {
  const env = { ...process.env, ...cloud.environment, ...(table !== undefined && { TABLE_NAME: table }) };
  const worker = new Worker(new URL('operator-thread.ts', import.meta.url), {
    env,
    workerData: { name, options } satisfies Task,
  });
  const timer =
    killedAfterMs === undefined ? undefined : setTimeout(() => void worker.terminate(), killedAfterMs);
  try {
    return await new Promise<Result<K> | null>((resolve, reject) => {
      worker.once('message', (result: Result<K>) => resolve(result));
      worker.once('error', reject);
      worker.once('exit', () => resolve(null));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

/** As `operate`, of a task that is not killed. */
export async function operateToEnd<K extends keyof Tasks>(
  place: Omit<Place, 'killedAfterMs'>,
  name: K,
  options: Parameters<Tasks[K]>[0],
): Promise<Result<K>> {
  const result = await operate(place, name, options);
  if (result === null) throw new Error(`the task ${name} has ended without a result`);
  return result;
}
