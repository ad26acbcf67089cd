/** Contract of the worker `sync-identity`. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const syncIdentityWorker: WorkerContract = {
  id: 'sync-identity',
  summary:
    'Gives SES identities the DKIM key of the published record, and SES tenants their identities, at one call per second.',
  trigger: {
    kind: 'queue',
    queue: 'identities',
    batchSize: 1,
  },
  // SES takes one management call a second ("Service quotas in Amazon SES").
  load: { executions: 2, most: 2 },
  access: [
    'table:get',
    'table:query',
    'table:put',
    'table:update',
    'table:delete',
    'table:check',
    'secrets:decrypt:dkim-key',
    'identities:manage',
  ],
  // Three calls, each tried several times a second apart.
  timeoutSeconds: 45,
  memoryMb: 512,
  // Failures have messages of their own; what fails here would block its workspace.
  receivesMax: 5,
};
