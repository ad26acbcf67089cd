/** Contract of the worker `deliver-webhook`. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const deliverWebhookWorker: WorkerContract = {
  id: 'deliver-webhook',
  summary: 'Makes webhook attempts, and brings back deliveries that wait.',
  trigger: {
    kind: 'queue',
    queue: 'deliveries',
    // At most ten bodies are in memory, and endpoints of one batch do not wait for each other.
    batchSize: 10,
  },
  // Of the endpoints, 96 % answer in 200 ms and the others not in ten seconds.
  load: {
    perSent: 2,
    perReceived: 1,
    execution: { messages: 10, trips: 4, receiverMs: 600, cpuMs: 54 },
  },
  access: [
    'table:get',
    'table:query',
    'table:put',
    'table:update',
    'table:delete',
    'table:write-many',
    'content:get',
    'secrets:decrypt:webhook-secret',
  ],
  // 10 s in which attempts start, 30 s for the last one at a receiver of format v1, the rest for calls of the table.
  timeoutSeconds: 45,
  // Memory is paid while it waits for receivers; the largest batch takes 390 MB (`npm run bench -- --memory`).
  memoryMb: 448,
};
