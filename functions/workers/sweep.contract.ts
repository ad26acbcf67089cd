/** Contract of the worker `sweep`. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const sweepWorker: WorkerContract = {
  id: 'sweep',
  summary:
    'Continues scheduled emails, held emails and mailboxes whose timer was lost, and has mail deleted that is older than it is kept.',
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
    'queue:tasks:send',
  ],
  timeoutSeconds: 30,
  memoryMb: 256,
};
