/** Contract of the function behind the WebSocket API. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const liveSocketWorker: WorkerContract = {
  id: 'live-socket',
  summary:
    'Opens live connections with their tickets, answers what clients send, and forgets those that end.',
  trigger: { kind: 'socket' },
  access: [
    'table:get',
    'table:query',
    'table:put',
    'table:update',
    'table:delete',
    'table:write-many',
    'table:check',
    'live:connections',
  ],
  timeoutSeconds: 10,
  memoryMb: 512,
};
