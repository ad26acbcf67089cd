/** Contract of the worker `drain-webhooks`: it goes, with its queue, in the release after 0.2.0. */
import type { WorkerContract } from '../../lib/core/worker.ts';

export const drainWebhooksWorker: WorkerContract = {
  id: 'drain-webhooks',
  summary: 'Passes the webhook attempts that 0.1.0 has queued on to the queue of this release.',
  trigger: {
    kind: 'queue',
    queue: 'webhooks',
    batchSize: 10,
  },
  load: { executions: 2, most: 2 },
  access: ['queue:deliveries:send'],
  timeoutSeconds: 30,
  memoryMb: 256,
};
