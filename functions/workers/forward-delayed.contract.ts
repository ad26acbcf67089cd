/** Contract of the worker `forward-delayed`. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const forwardDelayedWorker: WorkerContract = {
  id: 'forward-delayed',
  summary: 'Forwards delayed messages to their queue when they are due.',
  trigger: {
    kind: 'queue',
    queue: 'delays',
    batchSize: 10,
  },
  load: { executions: 25 },
  access: [
    'queue:mail:send',
    'queue:events:send',
    'queue:deliveries:send',
    'queue:live:send',
    'queue:pacing:send',
    'queue:tasks:send',
    'queue:identities:send',
    'queue:mailboxes:send',
    'queue:mailbox-mail:send',
    'queue:mailbox-submissions:send',
  ],
  timeoutSeconds: 30,
  memoryMb: 256,
};
