/** The thread in which one file is prepared: it gets the file as it starts, answers once, and is gone. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ExtractedText } from '../core/text-extraction.ts';
import { extractText } from './extract-text.ts';
import type { SourceFile } from './reader.ts';

export interface WorkerResult {
  readonly prepared: ExtractedText;
  /** Errors that no reader foresaw. */
  readonly faults: readonly unknown[];
}

const faults: unknown[] = [];
const prepared = await extractText(workerData as SourceFile, (error) => faults.push(error));
parentPort?.postMessage({ prepared, faults } satisfies WorkerResult);
