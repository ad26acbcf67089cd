/** Contract of the worker `send-mailbox-mail`. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const sendMailboxMailWorker: WorkerContract = {
  id: 'send-mailbox-mail',
  summary: 'Submits queued emails through connected mailboxes.',
  trigger: {
    kind: 'queue',
    queue: 'mailbox-submissions',
    batchSize: 1,
  },
  load: { executions: 30 },
  access: [
    'secrets:decrypt:link-secret',
    'secrets:decrypt:mailbox-token',
    'secrets:encrypt:mailbox-token',
    'secrets:decrypt:oauth-app-secret',
    'shared-apps:read',
    'table:get',
    'table:query',
    'table:put',
    'table:update',
    'table:delete',
    'table:check',
    'content:get',
  ],
  // Two calls of a provider with a message of 35 MB.
  timeoutSeconds: 150,
  memoryMb: 1024,
};
