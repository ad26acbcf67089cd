/** What the worker `prepare-attachment` consumes and may touch. */
import type { WorkerContract } from '../../lib/domain/worker.ts';

export const prepareAttachmentWorker: WorkerContract = {
  id: 'prepare-attachment',
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
