/** What the worker `send-mail` consumes and may touch. */
import type { WorkerContract } from '../../lib/core/worker.ts';

export const sendMailWorker: WorkerContract = {
  id: 'send-mail',
  summary: 'Hands queued emails to the provider, one recipient chunk at a time.',
  trigger: {
    kind: 'queue',
    queue: 'mail',
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
    'mail:send',
  ],
  timeoutSeconds: 60,
  memoryMb: 1024,
};
