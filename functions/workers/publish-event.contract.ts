/** What the worker `publish-event` consumes and may touch. */
import type { WorkerContract } from '../../lib/core/worker.ts';

export const publishEventWorker: WorkerContract = {
  id: 'publish-event',
  summary: 'Makes a delivery of an event for every endpoint that wants it.',
  trigger: {
    kind: 'queue',
    queue: 'events',
    batchSize: 10,
  },
  access: ['table:get', 'table:query', 'table:put', 'content:get'],
  timeoutSeconds: 30,
  memoryMb: 512,
};
