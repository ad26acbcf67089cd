/** What a delivery of an event to an endpoint is, and where each attempt leaves it (interface, "States: Webhook delivery"). */
import { createHash } from 'node:crypto';
import {
  type AttemptId,
  composeId,
  type DeliveryId,
  type EndpointId,
  type EventId,
  idTime,
  type WorkspaceId,
} from '../ids.ts';
import type { DeliverWebhook } from '../queue-messages.ts';
import type { EventType } from './event-types.ts';
import { nextAttempt } from './retry.ts';
import { parseRetryAfter } from './retry-after.ts';
import { concurrencySlot } from './slot.ts';

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export interface Attempt {
  readonly id: AttemptId;
  readonly attemptedAt: number;
  /** Null when no answer was had. */
  readonly statusCode: number | null;
  /** A few words on what went wrong; null when the answer speaks for itself. */
  readonly error: string | null;
  readonly durationMs: number;
  /** The first 2 KB of the answer. */
  readonly response: string | null;
}

export interface Delivery {
  readonly id: DeliveryId;
  readonly endpointId: EndpointId;
  readonly eventId: EventId;
  readonly eventType: EventType;
  readonly state: DeliveryState;
  readonly createdAt: number;
  /** The JSON that is posted, the same in every attempt. */
  readonly body: string;
  /** How often the delivery was replayed. Each round has a fresh budget of attempts and time. */
  readonly replay: number;
  /** When the round began. */
  readonly replayStartedAt: number;
  /** Number of the attempt that is due, from 1 in each round. */
  readonly attemptDue: number;
  /** When it is due; null once the delivery is settled. */
  readonly nextAttemptAt: number | null;
  /** Every attempt that was made, oldest first, of all rounds. */
  readonly attempts: readonly Attempt[];
}

/**
 * The id of the delivery of an event to an endpoint. The same two always give the same id, so that an event published
 * twice is one delivery. It takes the event's time, so that an endpoint's deliveries are in order of their events.
 */
export function deliveryIdOf(eventId: EventId, endpointId: EndpointId): DeliveryId {
  const random = createHash('sha256').update(`${eventId} ${endpointId}`).digest();
  return composeId('dlv', idTime(eventId), random);
}

/** A delivery that waits for its first attempt. */
export function newDelivery(
  event: { id: EventId; type: EventType; body: string },
  endpointId: EndpointId,
  atMs: number,
): Delivery {
  return {
    id: deliveryIdOf(event.id, endpointId),
    endpointId,
    eventId: event.id,
    eventType: event.type,
    state: 'pending',
    createdAt: atMs,
    body: event.body,
    replay: 0,
    replayStartedAt: atMs,
    attemptDue: 1,
    nextAttemptAt: atMs,
    attempts: [],
  };
}

/** The message that asks for attempt number `attempt`, in the lane that `max_concurrency` gives the delivery. */
export function deliverWebhookMessage(
  workspaceId: WorkspaceId,
  delivery: Delivery,
  maxConcurrency: number,
  attempt: number,
): DeliverWebhook {
  return {
    kind: 'deliver-webhook',
    v: 2,
    workspaceId,
    endpointId: delivery.endpointId,
    deliveryId: delivery.id,
    attempt,
    replay: delivery.replay,
    slot: concurrencySlot(delivery.id, maxConcurrency),
  };
}

/** Where a delivery stands after the attempt that was due. */
export type AttemptOutcome = Pick<Delivery, 'state' | 'nextAttemptAt'>;

/**
 * Decides after the attempt that was due.
 *
 * @param answer what came of it; null when it was passed over because the endpoint is disabled: the schedule goes on, so
 *   that the delivery is made when the endpoint is enabled again in time, and fails at its deadline otherwise
 * @param random a number in [0, 1)
 */
export function afterAttempt(
  delivery: Pick<Delivery, 'attemptDue' | 'replayStartedAt'>,
  answer: { readonly statusCode: number | null; readonly retryAfter: string | null } | null,
  atMs: number,
  random: () => number,
): AttemptOutcome {
  const status = answer?.statusCode ?? 0;
  if (status >= 200 && status <= 299) return { state: 'delivered', nextAttemptAt: null };
  const nextAttemptAt = nextAttempt({
    attempt: delivery.attemptDue,
    createdAtMs: delivery.replayStartedAt,
    failedAtMs: atMs,
    retryAfterMs: parseRetryAfter(answer?.retryAfter ?? null, atMs),
    random,
  });
  return { state: nextAttemptAt === null ? 'failed' : 'pending', nextAttemptAt };
}
