/** What the worker `relay` consumes and may touch. */
import type { WorkerContract } from '../../lib/core/worker.ts';

export const relayWorker: WorkerContract = {
  id: 'relay',
  summary: 'Turns outbox items into queue messages and timers.',
  trigger: {
    kind: 'outbox',
    batchSize: 100,
  },
  access: [
    'table:delete',
    'queue:mail:send',
    'queue:events:send',
    'queue:webhooks:send',
    'queue:tasks:send',
    'queue:identities:send',
    'queue:attachments:send',
    'queue:delays:send',
    'schedules:write',
  ],
  timeoutSeconds: 60,
  memoryMb: 512,
};
