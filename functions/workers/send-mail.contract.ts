/** Contract of the worker `send-mail`. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const sendMailWorker: WorkerContract = {
  id: 'send-mail',
  summary: 'Submits queued emails to SES, one recipient chunk per call.',
  trigger: {
    kind: 'queue',
    queue: 'mail',
    batchSize: 1,
  },
  load: { perSent: 1, execution: { messages: 1, trips: 8, ses: 1, cpuMs: 11 } },
  access: [
    'secrets:decrypt:link-secret',
    'table:get',
    'table:query',
    'table:put',
    'table:update',
    'table:delete',
    'table:check',
    'content:get',
    'mail:send',
    'mail:limits',
  ],
  timeoutSeconds: 60,
  // A message of 10 MB to 300 recipients takes 290 MB (`npm run bench -- --memory`).
  memoryMb: 384,
};
