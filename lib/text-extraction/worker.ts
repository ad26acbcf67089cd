/** The worker thread that extracts the text of one file: gets it as `workerData`, posts one message, exits. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ExtractedText } from '../core/text-extraction.ts';
import { extractText } from './extract-text.ts';
import type { SourceFile } from './reader.ts';

export interface WorkerResult {
  readonly extracted: ExtractedText;
  /** Unexpected errors of the reader. */
  readonly faults: readonly unknown[];
}

const faults: unknown[] = [];
const extracted = await extractText(workerData as SourceFile, (error) => faults.push(error));
parentPort?.postMessage({ extracted, faults } satisfies WorkerResult);
