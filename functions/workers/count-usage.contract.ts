/** Contract of the worker `count-usage`. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const countUsageWorker: WorkerContract = {
  id: 'count-usage',
  summary: 'Counts the events of a day by workspace, once a minute.',
  trigger: {
    kind: 'gathered-outbox',
    // About 4 MB of items: Lambda ends a batch at 6 MB ("Using AWS Lambda with Amazon DynamoDB").
    batchSize: 1000,
    batchWindowSeconds: 60,
  },
  // As of the relay.
  load: { perSent: 3, perReceived: 2, execution: { messages: 1000, trips: 4, cpuMs: 100 } },
  // To read whether the workspace is erased, and to add to its counts.
  access: ['table:get', 'table:count-usage'],
  timeoutSeconds: 60,
  memoryMb: 256,
};
