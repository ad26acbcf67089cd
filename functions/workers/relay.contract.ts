/** Contract of the worker `relay`. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const relayWorker: WorkerContract = {
  id: 'relay',
  summary: 'Sends outbox messages to their queues or schedules them; publishes events and releases emails.',
  trigger: {
    kind: 'outbox',
    batchSize: 100,
  },
  // Stored, sent and delivered; received, and its files.
  load: { perSent: 3, perReceived: 2, execution: { messages: 10, trips: 4, sqs: 1, cpuMs: 70 } },
  access: [
    'table:get',
    'table:query',
    'table:put',
    'table:write-many',
    'table:update',
    'content:get',
    'queue:outgoing:send',
    'queue:mail:send',
    'queue:events:send',
    'queue:deliveries:send',
    'queue:live:send',
    'queue:pacing:send',
    'queue:tasks:send',
    'queue:identities:send',
    'queue:attachments:send',
    'queue:mailboxes:send',
    'queue:mailbox-mail:send',
    'queue:mailbox-submissions:send',
    'queue:delays:send',
    'schedules:write',
  ],
  timeoutSeconds: 60,
  memoryMb: 512,
};
