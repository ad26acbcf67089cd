/** Concurrency slots of an endpoint: one for each concurrent request (docs/decisions/0017-webhook-fifo-queue.md). */
import type { DeliveryId } from '../ids.ts';

/**
 * The slot of a delivery, from 0 to `maxConcurrency` − 1, the same for each of its attempts. SQS has at most one batch of
 * a message group in flight, so one message group per slot keeps `max_concurrency`.
 */
export function concurrencySlot(deliveryId: DeliveryId, maxConcurrency: number): number {
  // The last digits of an id are random.
  return Number.parseInt(deliveryId.slice(-8), 16) % maxConcurrency;
}
