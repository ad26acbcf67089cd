/** Contract of the worker `publish-event`. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const publishEventWorker: WorkerContract = {
  id: 'publish-event',
  summary:
    'Publishes events that are due later, that the relay could not publish, and that an operator replays.',
  trigger: {
    kind: 'queue',
    queue: 'events',
    batchSize: 10,
  },
  // What has files is published late, and by the last file.
  load: { perReceived: 0.4, execution: { messages: 10, trips: 5, sqs: 2, cpuMs: 100 } },
  access: [
    'table:get',
    'table:query',
    'table:put',
    'table:write-many',
    'table:update',
    'content:get',
    'queue:deliveries:send',
    'queue:live:send',
  ],
  timeoutSeconds: 30,
  memoryMb: 512,
};
