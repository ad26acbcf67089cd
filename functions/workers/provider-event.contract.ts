/** What the worker `provider-event` consumes and may touch. */
import type { WorkerContract } from '../../lib/core/worker.ts';

export const providerEventWorker: WorkerContract = {
  id: 'provider-event',
  summary: 'Records what the provider reports about emails handed to it.',
  trigger: {
    kind: 'queue',
    queue: 'provider-events',
    batchSize: 10,
  },
  access: ['table:get', 'table:query', 'table:put', 'table:update', 'table:check'],
  // A report that failed comes again after six times this, and must do so twice within `unsettledWaitMs` of the
  // hand-off: what it would have settled is sent again then.
  timeoutSeconds: 20,
  memoryMb: 512,
};
