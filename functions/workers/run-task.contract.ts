/** Contract of the worker `run-task`. */
import type { WorkerContract } from '../../lib/core/worker.ts';

export const runTaskWorker: WorkerContract = {
  id: 'run-task',
  summary: 'Rechecks domains, and mails members about webhook endpoints that nothing gets through to.',
  trigger: {
    kind: 'queue',
    queue: 'tasks',
    batchSize: 5,
    concurrency: 5,
  },
  access: [
    'table:get',
    'table:query',
    'table:put',
    'table:update',
    'table:check',
    'mail:send',
    'mail:limits',
  ],
  timeoutSeconds: 60,
  memoryMb: 512,
};
