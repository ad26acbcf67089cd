/** Which of an endpoint's lanes a delivery takes; as many lanes as the endpoint may be called at once. */
import type { DeliveryId } from '../ids.ts';

/**
 * A number from 0 to `maxConcurrency` − 1, the same for every attempt of a delivery. SQS has at most one batch of a
 * message group in flight, so that groups named after these numbers keep the promise of `max_concurrency`.
 */
export function concurrencySlot(deliveryId: DeliveryId, maxConcurrency: number): number {
  // The last digits of an id are random, the first ones are its time.
  return Number.parseInt(deliveryId.slice(-8), 16) % maxConcurrency;
}
