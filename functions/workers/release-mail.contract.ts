/** Contract of the worker `release-mail`. */
import type { WorkerContract } from '../../lib/core/worker.ts';

export const releaseMailWorker: WorkerContract = {
  id: 'release-mail',
  summary: 'Gives waiting emails the slots of the sending rate of their region.',
  trigger: {
    kind: 'queue',
    queue: 'outgoing',
    batchSize: 10,
    // A batch takes some tens of milliseconds, so that two release hundreds of emails a second.
    concurrency: 2,
  },
  access: ['table:get', 'table:put', 'table:update', 'queue:mail:send', 'mail:limits'],
  timeoutSeconds: 30,
  memoryMb: 256,
  // Each receive without a slot counts (`laneWaitSeconds`); 1,000 is the most of SQS.
  receivesMax: 1000,
};
