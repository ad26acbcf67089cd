/** Contract of the worker `extract-text`. */
import type { WorkerContract } from '../../lib/core/worker.ts';

export const extractTextWorker: WorkerContract = {
  id: 'extract-text',
  summary: 'Extracts text from attachments of received mail.',
  trigger: {
    kind: 'queue',
    queue: 'attachments',
    // A malicious file can use up time and memory; it must not affect other files of the batch.
    batchSize: 1,
    concurrency: 20,
  },
  access: ['table:get', 'table:query', 'table:update', 'content:get', 'content:put', 'queue:events:send'],
  timeoutSeconds: 75,
  memoryMb: 2048,
};
