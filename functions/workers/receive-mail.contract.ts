/** What the worker `receive-mail` consumes and may touch. */
import type { WorkerContract } from '../../lib/core/worker.ts';

export const receiveMailWorker: WorkerContract = {
  id: 'receive-mail',
  summary: 'Turns received mail into emails of the threads they belong to.',
  trigger: {
    kind: 'queue',
    queue: 'inbound',
    batchSize: 1,
  },
  access: [
    'table:get',
    'table:query',
    'table:put',
    'table:update',
    'table:delete',
    'table:check',
    'content:get',
    'content:put',
    'raw-mail:get',
  ],
  timeoutSeconds: 120,
  memoryMb: 1024,
};
