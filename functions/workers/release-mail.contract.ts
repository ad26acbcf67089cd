/** Contract of the worker `release-mail`. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const releaseMailWorker: WorkerContract = {
  id: 'release-mail',
  summary: 'Gives waiting emails the slots of the sending rate of their region.',
  trigger: {
    kind: 'queue',
    queue: 'outgoing',
    batchSize: 10,
  },
  // Every email, as while a rate is used up. A batch takes slots by one write.
  load: { perSent: 1, execution: { messages: 10, trips: 3, sqs: 1, cpuMs: 15 } },
  access: ['table:get', 'table:put', 'table:update', 'queue:mail:send', 'mail:limits'],
  timeoutSeconds: 30,
  memoryMb: 512,
  // Each receive without a slot counts (`laneWaitSeconds`); 1,000 is the most of SQS.
  receivesMax: 1000,
};
