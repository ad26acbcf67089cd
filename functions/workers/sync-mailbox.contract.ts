/** Contract of the worker `sync-mailbox`. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const syncMailboxWorker: WorkerContract = {
  id: 'sync-mailbox',
  summary: 'Finds new messages of connected mailboxes, and keeps their subscriptions to pushes.',
  trigger: {
    kind: 'queue',
    queue: 'mailboxes',
    batchSize: 1,
  },
  load: { executions: 30 },
  access: [
    'table:get',
    'table:query',
    'table:put',
    'table:update',
    'table:delete',
    'table:check',
    'secrets:decrypt:mailbox-token',
    'secrets:encrypt:mailbox-token',
    'secrets:decrypt:oauth-app-secret',
    'shared-apps:read',
  ],
  // A session takes 60 s, and a call of the provider that it has begun.
  timeoutSeconds: 120,
  memoryMb: 512,
};
