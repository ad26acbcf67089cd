/** Contract of the worker `receive-mailbox-mail`. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const receiveMailboxMailWorker: WorkerContract = {
  id: 'receive-mailbox-mail',
  summary:
    'Stores messages of connected mailboxes, and blocked messages that are accepted, as emails and assigns them to threads.',
  trigger: {
    kind: 'queue',
    queue: 'mailbox-mail',
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
    'table:write-many',
    'table:update',
    'table:delete',
    'table:check',
    'content:get',
    'content:put',
    'content:delete',
    'raw-mail:get',
    'raw-mail:tag',
  ],
  timeoutSeconds: 150,
  // As `receive-mail`, and a message in the base64 of JSON beside it.
  memoryMb: 2048,
};
