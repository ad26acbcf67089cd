/** The sweep of webhook deliveries: continues those whose timer or message was lost. */
import { now } from '../../adapters/clock.ts';
import { deliverWebhookMessage } from '../../core/webhooks/delivery.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import { findDelivery } from '../../storage/deliveries.ts';
import { findEndpoint } from '../../storage/endpoints.ts';
import {
  listOverdueRetries,
  moveInRetryIndex,
  removeFromRetryIndex,
  type WaitingDelivery,
} from '../../storage/retry-index.ts';
import { commitIfUnchanged } from '../../storage/transactions.ts';

/** A timer fires within a minute of its time; the queue of a slow receiver may be longer. */
const overdueMs = 15 * 60_000;
/** A delivery is continued once in this time, so that a long queue gets few repetitions. */
const againMs = 60 * 60_000;
/** Deliveries per shard and run; the next run follows in a minute. */
const sweptAtOnce = 25;

/** Enqueues overdue retries again, once an hour each. A repetition of a message that is not lost changes nothing. */
export async function sweepRetries(): Promise<void> {
  const overdue = await listOverdueRetries(now() - overdueMs, sweptAtOnce);
  await Promise.all(overdue.map(resume));
}

async function resume(waiting: WaitingDelivery): Promise<void> {
  const { workspaceId, endpointId, deliveryId } = waiting;
  const [delivery, found] = await Promise.all([
    findDelivery(workspaceId, endpointId, deliveryId),
    findEndpoint(workspaceId, endpointId),
  ]);
  const isWaiting = delivery?.state === 'pending' && (delivery.nextAttemptAt ?? 0) <= now() - overdueMs;
  if (!isWaiting) {
    // An entry that the sweep has moved; the delivery went on and has another entry, or is complete.
    await commitIfUnchanged(workspaceId, [removeFromRetryIndex(waiting)]);
    return;
  }
  // The worker ends the delivery of a deleted endpoint, in whatever slot.
  const slots = found?.endpoint.maxConcurrency ?? 1;
  const message = deliverWebhookMessage(workspaceId, delivery, slots, delivery.attemptDue);
  const isMoved = await commitIfUnchanged(workspaceId, moveInRetryIndex(waiting, now() + againMs), [
    { message },
  ]);
  if (!isMoved) return;
  count('WebhookDeliveriesResumed', workspaceId);
  logEvent('webhook.delivery_resumed', { workspace_id: workspaceId, delivery_id: deliveryId });
}
