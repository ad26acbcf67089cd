/** A thread that calls a function of the operator on the cloud of its environment, and posts the result. */
import { parentPort, workerData } from 'node:worker_threads';

export interface OperatorCall {
  /** URL of a module. */
  readonly module: string;
  readonly name: string;
  readonly args: readonly unknown[];
}

const { module, name, args }: OperatorCall = workerData;
const exported = await import(module);
// As JSON: functions of the result stay in the thread.
parentPort?.postMessage(JSON.stringify((await exported[name](...args)) ?? null));
