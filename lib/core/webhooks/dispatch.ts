/**
 * Decisions of the dispatch of deliveries: who works on an endpoint, how much, and when again
 * (docs/decisions/0043-webhook-dispatch.md). Pure, so that `scripts/webhooks` runs them on virtual time.
 */
import type { Delivery, DeliveryFacts } from './delivery.ts';
import { type Health, isProbing, newHealth } from './health.ts';
import type { Lane } from './lane.ts';

export interface EndpointLease {
  readonly token: string;
  /** Unix milliseconds. */
  readonly until: number;
  /** The new delivery whose record may end the lease; null: its release does. */
  readonly endsWith: DeliveryFacts | null;
}

/** The dispatch state of an endpoint. */
export interface DispatchState {
  /** The worker that delivers to the endpoint, the only one; null: none does. */
  readonly lease: EndpointLease | null;
  /** Whether the worker is to look for due deliveries again before it ends. */
  readonly again: boolean;
  /** Number of sessions so far: each lease counts one. */
  readonly sessions: number;
  /**
   * A message whose session looks at the due entries is in the queue, and no other one is sent before this time; null: no
   * publisher counts on one.
   */
  readonly calledUntil: number | null;
  /** When the next timer fires; null: none is set. Unix milliseconds. */
  readonly wakeAt: number | null;
  readonly health: Health;
}

/** The state of an endpoint that no worker has been at. */
export const newDispatchState: DispatchState = {
  lease: null,
  again: false,
  sessions: 0,
  calledUntil: null,
  wakeAt: null,
  health: newHealth,
};

/**
 * The state without a lease that the record of its delivery has ended.
 *
 * @param delivery the one that the lease names, as it is stored; null: it is not
 */
export function withoutEndedLease(
  state: DispatchState,
  delivery: Pick<Delivery, 'endedSession'> | null,
): DispatchState {
  const isEnded = state.lease?.endsWith && delivery?.endedSession === state.sessions;
  return isEnded ? { ...state, lease: null } : state;
}

/** Times of a session: one worker at one endpoint. */
export const session = {
  /**
   * Starts attempts for this time, then hands over: an endpoint with events all the time does not keep a function from
   * others that wait in its queue.
   */
  startsMs: { fast: 2000, slow: 10_000 },
  /** Longer than the timeout of the function, shorter than the visibility timeout of its queues. */
  leaseMs: 60_000,
  /** Looks for new work while attempts run and none ends. */
  pollMs: 500,
  /** Between two looks while attempts run, however many end: so long may a delivery wait for those that share its look. */
  lookMs: 100,
  /** A message is taken to be in the queue for this time. */
  callMs: 60_000,
} as const;

/** A message that names a delivery, as its publisher remembers it. It ends at a lease: one of its own, or one that it finds. */
export interface HandOver {
  /** Of the state that was read before it was sent. */
  readonly sessions: number;
  /** It is taken to be in the queue until then; Unix milliseconds. */
  readonly until: number;
}

/** What is done about a delivery that has become due. */
export type Announcement =
  /** No worker is at the endpoint: a message names the delivery, which needs no entry. */
  | 'hand over'
  /** It waits in the table, and a message calls a worker. */
  | 'call'
  /** It waits in the table, and the worker at the endpoint is asked to look again. */
  | 'ask again'
  /** It waits in the table, and the state notes that the session of the last hand-over is to look. */
  | 'note'
  /** It waits in the table: a worker looks at it in any case. */
  | 'wait';

/**
 * @param state as read after the entry was written; what it says of the lease may change at any time
 * @param handOver the last one of this publisher to the endpoint
 */
export function announcementFor(
  state: DispatchState,
  handOver: HandOver | null,
  nowMs: number,
): Announcement {
  const { lease, again, wakeAt, health } = state;
  if (lease && lease.until > nowMs) return again ? 'wait' : 'ask again';
  if (isCalled(state, nowMs)) return 'wait';
  if (isHandedOver(state, handOver, nowMs)) return 'note';
  if (mayStartAt(health) <= nowMs) return 'hand over';
  const isTimerSet = wakeAt !== null && wakeAt > nowMs && wakeAt <= mayStartAt(health);
  return isTimerSet ? 'wait' : 'call';
}

/**
 * Whether due entries may wait at an endpoint, as its state was before a lease was taken. Where nothing stands for them, there is
 * none that needs this session: who adds one notes it, asks the holder of the lease, sends a message or sets a timer.
 */
export function mayWait({ lease, again, calledUntil, wakeAt }: DispatchState): boolean {
  return lease !== null || again || calledUntil !== null || wakeAt !== null;
}

/** Whether a message for the endpoint is in the queue, which a worker has not received yet. */
export function isCalled({ calledUntil }: DispatchState, nowMs: number): boolean {
  return calledUntil !== null && calledUntil > nowMs;
}

/** Whether no session has begun since the hand-over: that of its message begins later. */
function isHandedOver({ sessions }: DispatchState, handOver: HandOver | null, nowMs: number): boolean {
  return handOver !== null && handOver.sessions === sessions && handOver.until > nowMs;
}

/** No attempt before this time; 0 where the endpoint is not probed. */
export function mayStartAt(health: Health): number {
  return isProbing(health) ? (health.nextProbeAt ?? 0) : 0;
}

/**
 * How many more attempts may start now.
 *
 * @param lane of the worker: one of the fast lane starts nothing at a slow endpoint
 * @param running attempts that run at the endpoint
 */
export function roomFor(
  health: Health,
  { lane, running, maxConcurrency }: { lane: Lane; running: number; maxConcurrency: number },
  nowMs: number,
): number {
  if (lane === 'fast' && health.lane === 'slow') return 0;
  if (mayStartAt(health) > nowMs) return 0;
  return Math.max(0, (isProbing(health) ? 1 : maxConcurrency) - running);
}

/** What waits at an endpoint. */
export interface Waiting {
  /** The earliest time at which a delivery is due; null: none waits. */
  readonly dueAt: number | null;
  /** The earliest time at which a waiting delivery fails without a further attempt; null: none that is due. */
  readonly expiresAt: number | null;
}

export const nothingWaits: Waiting = { dueAt: null, expiresAt: null };

/** A delivery that no attempt could be made of fails this long after its deadline; an attempt may be due at the deadline itself. */
export const expiryGraceMs = 60_000;
/** Expired deliveries are collected for this time. */
const expiryStepMs = 30_000;

/** When a worker is needed next; at or before `nowMs`: at once. null: never, as nothing waits. */
export function nextSessionAt(health: Health, { dueAt, expiresAt }: Waiting, nowMs: number): number | null {
  if (dueAt === null) return null;
  const startAt = Math.max(dueAt, mayStartAt(health));
  if (startAt <= nowMs || expiresAt === null) return startAt;
  return Math.min(startAt, Math.max(expiresAt, nowMs + expiryStepMs));
}

/** The time of the next attempt as it is shown: a probed endpoint gets none before its next probe. */
export function shownNextAttempt(health: Health, nextAttemptAt: number, deadlineAt: number): number {
  return Math.max(nextAttemptAt, Math.min(mayStartAt(health), deadlineAt));
}
