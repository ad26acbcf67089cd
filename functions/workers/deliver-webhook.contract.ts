/** What the worker `deliver-webhook` consumes and may touch. */
import type { WorkerContract } from '../../lib/core/worker.ts';

export const deliverWebhookWorker: WorkerContract = {
  id: 'deliver-webhook',
  summary: 'Posts deliveries to webhook endpoints and records the attempts.',
  trigger: {
    kind: 'queue',
    queue: 'webhooks',
    batchSize: 1,
  },
  access: ['table:get', 'table:put', 'table:update', 'secrets:decrypt'],
  // Ten seconds for the receiver, and room for what stands around the call.
  timeoutSeconds: 30,
  memoryMb: 512,
};
