/**
 * Decisions of the dispatch of deliveries (docs/decisions/0066-webhooks-on-fair-queues.md): whether a delivery goes to the queue or waits in the
 * table, how many attempts a worker may make at the same time, and who brings back what waits. Pure.
 */
import { attemptsAtOnce, type Health, isClosed, isProved, mayAttemptAt, newHealth } from './health.ts';

/** Units of `max_concurrency` that a worker holds. */
export interface Holder {
  readonly units: number;
  /** From then on others may take them: the worker has ended. Unix milliseconds. */
  readonly until: number;
}

/** The dispatch state of an endpoint. */
export interface DispatchState {
  /** The units of all holders: as many attempts may run. */
  readonly inUse: number;
  /** By the token of the worker. */
  readonly holders: ReadonlyMap<string, Holder>;
  /** Deliveries wait in the table; a new random mark by each that begins to wait. null: none waits. */
  readonly backlog: string | null;
  readonly health: Health;
  /** Counts the changes of `health`. */
  readonly healthVersion: number;
}

/** The state of an endpoint that no worker has been at. */
export const newDispatchState: DispatchState = {
  inUse: 0,
  holders: new Map(),
  backlog: null,
  health: newHealth,
  healthVersion: 0,
};

export const dispatch = {
  /** Longer than the timeout of the function, shorter than the visibility timeout of its queue. */
  holderMs: 60_000,
  /** No attempt of a worker starts later. */
  startsMs: 10_000,
} as const;

/** Clocks of functions differ by milliseconds: what is early by less than this is due. */
export const clockToleranceMs = 1000;

/** Whether an attempt may be made now, as far as the health of the endpoint says: it is open, or the time of its probe has come. */
function mayAttempt({ health }: DispatchState, nowMs: number): boolean {
  return mayAttemptAt(health) <= nowMs + clockToleranceMs;
}

/**
 * Whether a new delivery goes to the queue; otherwise it waits in the table. While an endpoint is attempted that has not answered yet, or that
 * fails, no more messages are sent: a burst of events to many dead endpoints would fill the queue before they are closed.
 */
export function isQueued(state: DispatchState, nowMs: number): boolean {
  const { backlog, health, inUse } = state;
  if (backlog !== null || !mayAttempt(state, nowMs)) return false;
  return isClosed(health) || isProved(health) || inUse === 0;
}

/** Units that a worker is about to take. */
export interface UnitsPlan {
  readonly units: number;
  /** Tokens of holders that have ended without returning their units, and these units. */
  readonly expired: readonly string[];
  readonly freed: number;
  /** What `inUse` may be after the units are taken. */
  readonly limit: number;
  /** The endpoint is closed, and this is the one attempt of its probe time. */
  readonly isProbe: boolean;
}

/** The units that a worker takes for `wanted` attempts; null: none is free. */
export function planUnits(
  state: DispatchState,
  { wanted, maxConcurrency }: { readonly wanted: number; readonly maxConcurrency: number },
  nowMs: number,
): UnitsPlan | null {
  if (!mayAttempt(state, nowMs)) return null;
  const { health, holders, inUse } = state;
  const expired = [...holders].filter(([, { until }]) => until <= nowMs);
  const freed = expired.reduce((total, [, { units }]) => total + units, 0);
  const isProbe = isClosed(health);
  const limit = isProbe ? maxConcurrency : attemptsAtOnce(health, maxConcurrency);
  const units = Math.min(isProbe ? 1 : wanted, limit - (inUse - freed));
  return units > 0 ? { units, expired: expired.map(([token]) => token), freed, limit, isProbe } : null;
}

/**
 * Whether somebody has to bring back what waits.
 *
 * @param isHolder the worker has just returned units: each that sees the backlog then does. Others only where no holder is left that will see it
 */
export function mustBringBack(state: DispatchState, isHolder: boolean, nowMs: number): boolean {
  if (state.backlog === null || !mayAttempt(state, nowMs)) return false;
  return isHolder || ![...state.holders.values()].some(({ until }) => until > nowMs);
}

/** Entries of one transaction, with the item of their messages ("TransactWriteItems" in the DynamoDB API Reference). */
const broughtBackMax = 99;
const broughtBackFirst = 10;

/**
 * How many deliveries are brought back: one as the probe of a closed endpoint; else twice as many as the worker has attempted, so that the rate
 * grows until no unit is free.
 */
export function bringBackCount({ health }: DispatchState, attempted: number): number {
  if (isClosed(health)) return 1;
  return attempted === 0 ? broughtBackFirst : Math.min(broughtBackMax, 2 * attempted);
}

/** A delivery that waits fails this long after its deadline; an attempt may be due at the deadline itself. */
const expiryGraceMs = 60_000;

/** Whether a delivery fails without a further attempt. */
export function isOverdue(deadlineAt: number, nowMs: number): boolean {
  return deadlineAt + expiryGraceMs <= nowMs;
}

/** The time of the next attempt as it is shown: a closed endpoint gets none before its next probe. */
export function shownNextAttempt(health: Health, nextAttemptAt: number, deadlineAt: number): number {
  return Math.max(nextAttemptAt, Math.min(mayAttemptAt(health), deadlineAt));
}
