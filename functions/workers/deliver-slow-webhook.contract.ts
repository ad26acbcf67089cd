/** Contract of the worker `deliver-slow-webhook`. */
import type { WorkerContract } from '../../lib/core/worker.ts';
import { deliveryAccess, deliveryTimeoutSeconds } from './deliver-webhook.contract.ts';

export const deliverSlowWebhookWorker: WorkerContract = {
  id: 'deliver-slow-webhook',
  summary: 'Makes the webhook attempts that are due at endpoints that answer slowly or not at all.',
  trigger: {
    kind: 'queue',
    queue: 'slow-deliveries',
    batchSize: 10,
  },
  load: { executions: 125 },
  access: deliveryAccess,
  timeoutSeconds: deliveryTimeoutSeconds,
  memoryMb: 512,
};
