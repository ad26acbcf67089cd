/** The request budget of a workspace (docs/concepts/request-budget.md): units that refill, and units in flight. */
import type { WorkspaceId } from '../ids.ts';
import { Problem } from '../problems.ts';
import { type Rate, waitMs } from './rate-bucket.ts';

/** Settings of a workspace's budget. */
export interface BudgetLimits extends Rate {
  /** Units of requests that run at the same time. */
  readonly inFlight: number;
}

/** The default of the settings of a deployment. */
export const defaultBudget: BudgetLimits = { unitsPerSecond: 50, capacity: 500, inFlight: 32 };

/** What is spent of a budget. */
export interface Bucket {
  /** When all units are refilled; Unix milliseconds, in the past for a full bucket. */
  readonly fullAt: number;
  readonly inFlight: number;
}

/** The share of a request that runs, until it is released or its function admits its next request. */
export interface Lease {
  readonly id: string;
  readonly units: number;
  readonly namesSpace: boolean;
  /** When it ends by itself, because its function crashed or got no other request; Unix milliseconds. */
  readonly until: number;
}

export interface BudgetState {
  readonly limits: BudgetLimits;
  /** The limits are those of the deployment, not of this workspace. */
  readonly isDefault: boolean;
  readonly workspace: Bucket;
  /** Requests that name a space: they also count here, against half of the budget. */
  readonly spaces: Bucket;
  readonly leases: readonly Lease[];
}

const emptyBucket: Bucket = { fullAt: 0, inFlight: 0 };

/** The budget of a workspace that has made no request. */
export function unusedBudget(limits: BudgetLimits): BudgetState {
  return { limits, isDefault: true, workspace: emptyBucket, spaces: emptyBucket, leases: [] };
}

/** Whose budget it is: a workspace, or a share of the whole deployment. */
export type BudgetOwner = WorkspaceId | PlatformShard;
export type PlatformShard = `platform-${number}`;

/** How the requests in flight of the whole deployment are counted. */
export interface PlatformCount {
  /** One request of so many is counted, for all of them. */
  readonly weight: number;
  /** Items that share the ceiling, since each takes 1,000 writes a second. */
  readonly shards: number;
  /** The budget of each shard; its units are requests. */
  readonly limits: BudgetLimits;
}

/** Never reached: the platform counts requests in flight only. */
const anyRate = { unitsPerSecond: 1_000_000_000, capacity: 1_000_000_000 };

/** @param ceiling requests in flight of the whole deployment */
export function platformCount(ceiling: number): PlatformCount {
  const weight = Math.min(8, Math.max(1, Math.floor(ceiling / 64)));
  const shards = ceiling >= 256 ? 4 : 1;
  return { weight, shards, limits: { ...anyRate, inFlight: Math.ceil(ceiling / shards) } };
}

/**
 * Of a large budget, from 500 units a second and 128 in flight on, one request of so many counts, for all of them: its item takes
 * 1,000 writes a second. So many units are at most a 64th of capacity and units in flight.
 */
export function countedOneOf({ unitsPerSecond, capacity, inFlight }: BudgetLimits): number {
  return Math.min(8, Math.max(1, Math.floor(Math.min(unitsPerSecond / 250, capacity / 64, inFlight / 64))));
}

/** A request that asks for admission. */
export interface BudgetRequest {
  readonly units: number;
  readonly namesSpace: boolean;
}

/** Longest time of a request: API Gateway answers after 30 seconds ("Quotas for HTTP APIs"). */
export const leaseMs = 45_000;

/** Half of a budget, for the requests that name a space. */
export function halfOf({ unitsPerSecond, capacity, inFlight }: BudgetLimits): BudgetLimits {
  return { unitsPerSecond: unitsPerSecond / 2, capacity: capacity / 2, inFlight: Math.ceil(inFlight / 2) };
}

/** A bucket with the limits that hold for it. */
export interface LimitedBucket {
  readonly name: 'workspace' | 'spaces';
  readonly bucket: Bucket;
  readonly limits: BudgetLimits;
}

/** The buckets in which a request counts. */
export function bucketsOf(
  state: BudgetState,
  { namesSpace }: Pick<BudgetRequest, 'namesSpace'>,
): readonly LimitedBucket[] {
  const { limits } = state;
  const workspace = { name: 'workspace', bucket: state.workspace, limits } as const;
  if (!namesSpace) return [workspace];
  return [workspace, { name: 'spaces', bucket: state.spaces, limits: halfOf(limits) }];
}

/** The most units in flight beside which a request may start. */
export function inFlightBeside(limits: BudgetLimits, units: number): number {
  return Math.max(0, limits.inFlight - units);
}

export type Verdict =
  | { readonly kind: 'admit' }
  /** Refused until `until`, whatever other requests do: buckets refill with time only. */
  | { readonly kind: 'spent'; readonly until: number }
  /** Refused until another request ends. */
  | { readonly kind: 'in flight' };

/** Whether a request may start. */
export function verdictOn(state: BudgetState, request: BudgetRequest, nowMs: number): Verdict {
  const buckets = bucketsOf(state, request);
  const wait = Math.max(
    ...buckets.map(({ bucket, limits }) => waitMs(limits, bucket.fullAt, request.units, nowMs)),
  );
  if (wait > 0) return { kind: 'spent', until: nowMs + wait };
  const fits = buckets.every(
    ({ bucket, limits }) => bucket.inFlight <= inFlightBeside(limits, request.units),
  );
  return { kind: fits ? 'admit' : 'in flight' };
}

/** Leases that one update removes: its expression is far below 4 KB ("Constraints in Amazon DynamoDB"). */
const removedMax = 20;

/** Leases of requests that never ended, or whose function got no other request; at most 20. */
export function expiredLeases({ leases }: BudgetState, nowMs: number): readonly Lease[] {
  return leases.filter(({ until }) => until <= nowMs).slice(0, removedMax);
}

/** The units in flight that leases hold in each bucket. */
export function unitsOf(leases: readonly Lease[]): Readonly<Record<LimitedBucket['name'], number>> {
  const sum = (some: readonly Lease[]) => some.reduce((units, lease) => units + lease.units, 0);
  return { workspace: sum(leases), spaces: sum(leases.filter(({ namesSpace }) => namesSpace)) };
}

/** A budget after leases that it has are removed. */
export function withoutLeases(state: BudgetState, removed: readonly Lease[]): BudgetState {
  const units = unitsOf(removed);
  const ids = new Set(removed.map(({ id }) => id));
  const { workspace, spaces, leases } = state;
  return {
    ...state,
    workspace: { ...workspace, inFlight: workspace.inFlight - units.workspace },
    spaces: { ...spaces, inFlight: spaces.inFlight - units.spaces },
    leases: leases.filter(({ id }) => !ids.has(id)),
  };
}

/** The part of the units in flight that requests which have ended may hold. */
const endedPart = 1 / 4;
/** Leases that a budget may have where one is kept: its item stays below 1 KB, so that an update is one write unit. */
const leasesMax = 12;

/**
 * Whether a request may leave its lease to the next request of its function instead of releasing it
 * (docs/decisions/0042-request-budget-in-one-item.md#ended-requests).
 *
 * The leases that are kept never hold more than a quarter of a limit: all of them were in the state of the last one's admission.
 *
 * @param admitted the state after the admission of the request
 */
export function mayKeepLease(admitted: BudgetState, request: Pick<BudgetRequest, 'namesSpace'>): boolean {
  return (
    admitted.leases.length <= leasesMax &&
    bucketsOf(admitted, request).every(({ bucket, limits }) => bucket.inFlight <= limits.inFlight * endedPart)
  );
}

/** The values of the headers `RateLimit-Limit`, `-Remaining` (units) and `-Reset` (seconds until the budget is full). */
export interface BudgetFigures {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** The figures of the bucket that has least left for a request. */
export function figuresOf(
  state: BudgetState,
  request: Pick<BudgetRequest, 'namesSpace'>,
  nowMs: number,
): BudgetFigures {
  const all = bucketsOf(state, request).map(({ bucket, limits }) => {
    const untilFullMs = Math.max(0, bucket.fullAt - nowMs);
    const spent = (untilFullMs * limits.unitsPerSecond) / 1000;
    return {
      limit: Math.floor(limits.capacity),
      remaining: Math.max(0, Math.floor(limits.capacity - spent)),
      resetSeconds: Math.ceil(untilFullMs / 1000),
    };
  });
  return all.reduce((least, one) => (one.remaining < least.remaining ? one : least));
}

/** A request that the budget refuses: `too_many_requests`, with the figures for its headers. */
export class OverBudget extends Problem {
  readonly figures: BudgetFigures;

  constructor(detail: string, retryAfterSeconds: number, figures: BudgetFigures) {
    super('too_many_requests', detail, {
      headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
    });
    this.figures = figures;
  }
}
