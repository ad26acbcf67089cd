/** Contract of the worker `provider-event`. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const providerEventWorker: WorkerContract = {
  id: 'provider-event',
  summary: 'Records SES event notifications of submitted emails.',
  trigger: {
    kind: 'queue',
    queue: 'provider-events',
    batchSize: 10,
    // SES reports seconds after a submission, and one report more than there are emails: nobody waits for a second.
    batchWindowSeconds: 1,
  },
  // `Send` and `Delivery`.
  load: { perSent: 2, execution: { messages: 10, trips: 9, cpuMs: 130 } },
  access: ['table:get', 'table:query', 'table:put', 'table:update', 'table:check'],
  // The queue's visibility timeout is six times this, and the window. A failed event must be retried twice within the wait for an
  // unconfirmed submission, or the submission is repeated (docs/concepts/email-lifecycle.md).
  timeoutSeconds: 19,
  memoryMb: 512,
};
