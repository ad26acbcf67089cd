/** The thread in which one file is prepared: it gets the file as it starts, answers once, and is gone. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Prepared } from '../domain/preparation.ts';
import { prepare } from './prepare.ts';
import type { SourceFile } from './reading.ts';

export interface ThreadAnswer {
  readonly prepared: Prepared;
  /** Errors that no reader foresaw. */
  readonly faults: readonly unknown[];
}

const faults: unknown[] = [];
const prepared = await prepare(workerData as SourceFile, (error) => faults.push(error));
parentPort?.postMessage({ prepared, faults } satisfies ThreadAnswer);
