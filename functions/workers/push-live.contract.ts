/** Contract of the worker `push-live`. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const pushLiveWorker: WorkerContract = {
  id: 'push-live',
  summary: 'Sends events to the live connections of their workspace.',
  trigger: {
    kind: 'queue',
    queue: 'live',
    batchSize: 10,
  },
  load: { executions: 25 },
  access: [
    'table:get',
    'table:query',
    'table:put',
    'table:update',
    'table:write-many',
    'table:delete',
    'live:connections',
  ],
  // A turn sends for 10 s.
  timeoutSeconds: 30,
  memoryMb: 512,
};
