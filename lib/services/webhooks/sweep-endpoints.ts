/** The sweep of webhook endpoints: calls a worker where a timer or its message was lost. */

import { now } from '../../adapters/clock.ts';
import { sendToQueue } from '../../adapters/queues.ts';
import { allDone } from '../../core/all-done.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import { findEndpointState, moveWake } from '../../storage/endpoint-states.ts';
import { type EndpointWake, endpointWakes } from '../../storage/wake-index.ts';
import { deliverMessage } from './announce-delivery.ts';

/** A timer fires within a minute of its time; the queue before the workers may be longer. */
const overdueMs = 15 * 60_000;
/** An endpoint is called once in this time, so that a long queue gets few repetitions. */
const againMs = 60 * 60_000;
/** Endpoints per shard and run; the next run follows in a minute. */
const sweptAtOnce = 25;

/** Calls workers to endpoints whose timer is overdue, once an hour each. A repetition changes nothing. */
export async function sweepEndpoints(): Promise<void> {
  const overdue = await endpointWakes.listOverdue(now() - overdueMs, sweptAtOnce);
  await allDone(overdue.map(resume));
}

async function resume(entry: EndpointWake): Promise<void> {
  const { workspaceId, endpointId, at } = entry;
  const { wakeAt, health } = await findEndpointState(workspaceId, endpointId);
  // Another wakeAt: the timer fired, and what it left is this entry.
  if (wakeAt === at) {
    await sendToQueue(deliverMessage(entry, health.lane), '');
    const next = now() + againMs;
    await endpointWakes.add({ ...entry, at: next });
    await moveWake(workspaceId, endpointId, at, next);
    count('WebhookEndpointsResumed', workspaceId);
    logEvent('webhook.endpoint_resumed', { workspace_id: workspaceId, endpoint_id: endpointId });
  }
  await endpointWakes.remove(entry);
}
