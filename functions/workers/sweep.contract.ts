/** Contract of the worker `sweep`. */
import type { WorkerContract } from '../../lib/core/worker.ts';

export const sweepWorker: WorkerContract = {
  id: 'sweep',
  summary: 'Enqueues scheduled emails whose timer was lost.',
  trigger: { kind: 'every', minutes: 1 },
  access: ['table:query', 'queue:mail:send'],
  timeoutSeconds: 30,
  memoryMb: 256,
};
