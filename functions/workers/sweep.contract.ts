/** Contract of the worker `sweep`. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const sweepWorker: WorkerContract = {
  id: 'sweep',
  summary: 'Continues scheduled emails, held emails and mailboxes whose timer was lost.',
  trigger: { kind: 'every', minutes: 1 },
  access: [
    'table:get',
    'table:query',
    'table:put',
    'table:update',
    'table:delete',
    'queue:mail:send',
    'queue:pacing:send',
    'queue:mailboxes:send',
  ],
  timeoutSeconds: 30,
  memoryMb: 256,
};
