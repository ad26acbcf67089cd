/** Contract of the worker `extract-text`. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const extractTextWorker: WorkerContract = {
  id: 'extract-text',
  summary: 'Extracts text from attachments of received mail.',
  trigger: {
    kind: 'queue',
    queue: 'attachments',
    // A malicious file can use up time and memory; it must not affect other files of the batch.
    batchSize: 1,
  },
  // A file of every fifth email; `bench/corpus.md` has the times of real ones.
  load: { perReceived: 0.2, execution: { messages: 1, trips: 3, s3: 2, sqs: 1, cpuMs: 250 } },
  access: ['table:get', 'table:query', 'table:update', 'content:get', 'content:put', 'queue:events:send'],
  timeoutSeconds: 75,
  memoryMb: 2048,
};
