/** What the worker `extract-text` consumes and may touch. */
import type { WorkerContract } from '../../lib/core/worker.ts';

export const extractTextWorker: WorkerContract = {
  id: 'extract-text',
  summary: 'Reads files of received mail into text.',
  trigger: {
    kind: 'queue',
    queue: 'attachments',
    // A hostile file may take all the time and memory there is; the next one shall not pay for it.
    batchSize: 1,
  },
  access: ['table:get', 'table:query', 'table:update', 'content:get', 'content:put', 'queue:events:send'],
  timeoutSeconds: 75,
  memoryMb: 2048,
};
