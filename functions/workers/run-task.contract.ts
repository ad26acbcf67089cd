/** Contract of the worker `run-task`. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const runTaskWorker: WorkerContract = {
  id: 'run-task',
  summary:
    'Rechecks domains, ends expired drafts, blocked and old mail, mails members about failing endpoints and suspensions, mails sign-in links, revokes authorizations of mailboxes, and removes what deleted mail, deleted spaces and erased workspaces have left.',
  trigger: {
    kind: 'queue',
    queue: 'tasks',
    batchSize: 5,
  },
  load: { executions: 13 },
  access: [
    'table:get',
    'table:query',
    'table:put',
    'table:update',
    'table:delete',
    'table:write-many',
    'table:check',
    'mail:send',
    'mail:limits',
    'content:get',
    'content:delete',
    'content:list',
    'raw-mail:delete',
    'secrets:decrypt:mailbox-token',
    'secrets:decrypt:oauth-app-secret',
    'shared-apps:read',
  ],
  timeoutSeconds: 60,
  memoryMb: 512,
};
