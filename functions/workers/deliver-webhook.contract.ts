/** Contract of the worker `deliver-webhook`. */
import type { Grant } from '../../lib/core/access.ts';
import type { WorkerContract } from '../../lib/core/worker.ts';

/** What delivery needs in each lane. */
export const deliveryAccess: readonly Grant[] = [
  'table:get',
  'table:query',
  'table:put',
  'table:update',
  'table:delete',
  'table:write-many',
  'content:get',
  'secrets:decrypt:webhook-secret',
  'queue:tasks:send',
];

/** 10 s in which attempts start, 30 s for the last one at a receiver of format v1, the rest for table and queue calls. */
export const deliveryTimeoutSeconds = 45;

export const deliverWebhookWorker: WorkerContract = {
  id: 'deliver-webhook',
  summary: 'Makes the webhook attempts that are due at endpoints that answer quickly.',
  trigger: {
    kind: 'queue',
    queue: 'deliveries',
    // Independent of each other: an endpoint waits for no other one of its batch.
    batchSize: 10,
  },
  // One endpoint that takes every event and answers in 200 ms.
  load: {
    perSent: 2,
    perReceived: 1,
    execution: { messages: 10, trips: 3, receiverMs: 200, cpuMs: 54 },
  },
  access: deliveryAccess,
  timeoutSeconds: deliveryTimeoutSeconds,
  // It waits for receivers, and memory is paid meanwhile (docs/cost.md#memory-of-functions).
  memoryMb: 512,
};
