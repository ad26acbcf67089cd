/** Contract of the worker `canary`, which is deployed with a provided domain only. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const canaryWorker: WorkerContract = {
  id: 'canary',
  summary: 'Mails itself through SES, and checks that the last such mail came back and was announced.',
  // The setting `canaryMinutes`.
  trigger: { kind: 'every', minutes: 10, isToldApi: true },
  access: [
    'table:get',
    'table:query',
    'table:put',
    'table:write-many',
    'table:update',
    'table:delete',
    'table:check',
    'content:get',
    'content:put',
    'secrets:encrypt:cursor-secret',
    'secrets:encrypt:link-secret',
    'secrets:encrypt:webhook-secret',
  ],
  timeoutSeconds: 60,
  memoryMb: 256,
};
