/** What the worker `wake` consumes and may touch. */
import type { WorkerContract } from '../../lib/domain/worker.ts';

export const wakeWorker: WorkerContract = {
  id: 'wake',
  summary: 'Passes messages on to their queue once their time has come.',
  trigger: {
    kind: 'queue',
    queue: 'wake',
    batchSize: 10,
  },
  access: [
    'queue:mail:send',
    'queue:events:send',
    'queue:webhooks:send',
    'queue:tasks:send',
    'queue:identities:send',
    'queue:wake:send',
    'schedules:write',
  ],
  timeoutSeconds: 30,
  memoryMb: 256,
};
