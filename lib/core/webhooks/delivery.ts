/** Deliveries of events to endpoints, and their state after each attempt (docs/concepts/webhooks.md#delivery-states). */
import { createHash } from 'node:crypto';
import { type AttemptId, composeId, type DeliveryId, type EndpointId, type EventId, idTime } from '../ids.ts';
import type { StoredEvent } from './event.ts';
import type { EventType } from './event-types.ts';
import { deadlineAfterMs, nextAttempt } from './retry.ts';
import { parseRetryAfter } from './retry-after.ts';

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export interface Attempt {
  readonly id: AttemptId;
  /** Unix milliseconds. */
  readonly attemptedAt: number;
  /** null where no response arrived, or a redirect has a target that is refused. */
  readonly statusCode: number | null;
  /** The error in a few words; null where the status code says enough. */
  readonly error: string | null;
  readonly durationMs: number;
  /** The first 2 KB of the response body; null without a response, and for a compressed body. */
  readonly response: string | null;
}

export interface Delivery {
  readonly id: DeliveryId;
  readonly endpointId: EndpointId;
  readonly eventId: EventId;
  readonly eventType: EventType;
  readonly state: DeliveryState;
  readonly createdAt: number;
  /** No longer shown from then on, as its event; Unix milliseconds. */
  readonly expiresAt: number;
  /** The posted JSON of a test; null: the event has it. */
  readonly body: string | null;
  /** Replay count. Each replay has the full number of attempts and the full time. */
  readonly replay: number;
  /** When the current replay began, or the delivery was created. */
  readonly replayStartedAt: number;
  /** Number of the next attempt, from 1 in each replay. */
  readonly attemptDue: number;
  /** Time of the next attempt; null in the states `delivered` and `failed`. */
  readonly nextAttemptAt: number | null;
  /** All attempts of all replays, oldest first. */
  readonly attempts: readonly Attempt[];
}

/**
 * The id of the delivery of an event to an endpoint. It is derived from both ids, so that an event that is published twice
 * has one delivery, and has the event's time, so that an endpoint's deliveries are in the order of their events.
 */
export function deliveryIdOf(eventId: EventId, endpointId: EndpointId): DeliveryId {
  const random = createHash('sha256').update(`${eventId} ${endpointId}`).digest();
  return composeId('dlv', idTime(eventId), random);
}

/** A new delivery; its first attempt is due at `atMs` (Unix milliseconds). */
export function newDelivery(
  event: Pick<StoredEvent, 'id' | 'type' | 'expiresAt'>,
  endpointId: EndpointId,
  atMs: number,
): Delivery {
  return {
    id: deliveryIdOf(event.id, endpointId),
    endpointId,
    eventId: event.id,
    eventType: event.type,
    createdAt: atMs,
    expiresAt: event.expiresAt,
    state: 'pending',
    body: null,
    replay: 0,
    replayStartedAt: atMs,
    attemptDue: 1,
    nextAttemptAt: atMs,
    attempts: [],
  };
}

/** When a delivery fails at the latest; Unix milliseconds. */
export function deadlineOf({ replayStartedAt }: Pick<Delivery, 'replayStartedAt'>): number {
  return replayStartedAt + deadlineAfterMs;
}

/** A delivery as it is after a request to deliver it again: with the full number of attempts and the full time. */
export function replayed(delivery: Delivery, atMs: number): Delivery {
  return {
    ...delivery,
    state: 'pending',
    replay: delivery.replay + 1,
    replayStartedAt: atMs,
    attemptDue: 1,
    nextAttemptAt: atMs,
  };
}

/** State of a delivery after an attempt. */
export type AttemptOutcome = Pick<Delivery, 'state' | 'nextAttemptAt'>;

/**
 * The outcome of the attempt that was due (docs/concepts/webhooks.md#attempts-and-retries).
 *
 * @param answer the receiver's response; null where the attempt was skipped because the endpoint is disabled: the schedule
 *   continues, so that the delivery succeeds if the endpoint is enabled in time, and fails at its deadline otherwise
 * @param random returns a number in [0, 1)
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
