/** Contract of the worker `deliver-webhook`. */
import type { WorkerContract } from '../../lib/core/worker.ts';

export const deliverWebhookWorker: WorkerContract = {
  id: 'deliver-webhook',
  summary: 'Sends webhook deliveries and records the attempts.',
  trigger: {
    kind: 'queue',
    queue: 'webhooks',
    batchSize: 1,
    concurrency: 100,
  },
  access: ['table:get', 'table:put', 'table:update', 'table:delete', 'secrets:decrypt:webhook-secret'],
  // 10 s for the receiver, the rest for table and queue calls.
  timeoutSeconds: 30,
  memoryMb: 512,
};
