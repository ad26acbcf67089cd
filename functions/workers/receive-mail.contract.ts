/** Contract of the worker `receive-mail`. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const receiveMailWorker: WorkerContract = {
  id: 'receive-mail',
  summary: 'Stores received mail as emails and assigns them to threads.',
  trigger: {
    kind: 'queue',
    queue: 'inbound',
    batchSize: 1,
  },
  // An email of 5 KB with a file.
  load: { perReceived: 1, execution: { messages: 1, trips: 7, s3: 2, cpuMs: 14 } },
  access: [
    'secrets:decrypt:link-secret',
    'table:get',
    'table:query',
    'table:put',
    'table:write-many',
    'table:update',
    'table:delete',
    'table:check',
    'content:get',
    'content:put',
    'content:delete',
    'raw-mail:get',
    'raw-mail:tag',
  ],
  timeoutSeconds: 120,
  // A message of 40 MB, the most that SES accepts, takes 370 MB (`npm run bench -- --memory`).
  memoryMb: 448,
};
