/** Contract of the worker `pace-mail`. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const paceMailWorker: WorkerContract = {
  id: 'pace-mail',
  summary: 'Lets held emails leave as the pacing rules of their workspace allow.',
  trigger: {
    kind: 'queue',
    queue: 'pacing',
    batchSize: 10,
  },
  load: { executions: 25 },
  access: [
    'table:get',
    'table:query',
    'table:put',
    'table:update',
    'table:delete',
    'table:write-many',
    'table:check',
  ],
  // A session takes 10 s, and as long again where it has much to look at.
  timeoutSeconds: 45,
  memoryMb: 512,
};
