/** Contract of the worker `check-mail`. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const checkMailWorker: WorkerContract = {
  id: 'check-mail',
  summary:
    'Checks what SES does not report: the active receipt rule set, and the identity of the provided domain.',
  trigger: { kind: 'every', minutes: 5 },
  access: ['table:get', 'table:delete', 'rule-sets:read', 'identities:read'],
  timeoutSeconds: 60,
  memoryMb: 256,
};
