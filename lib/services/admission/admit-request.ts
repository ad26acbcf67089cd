/** Admission of requests to the budget of their workspace (docs/concepts/request-budget.md). */
import { now } from '../../adapters/clock.ts';
import { newToken } from '../../adapters/ids.ts';
import { random } from '../../adapters/random.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { Recent } from '../../core/recent.ts';
import {
  type BudgetFigures,
  type BudgetOwner,
  type BudgetRequest,
  type BudgetState,
  expiredLeases,
  figuresOf,
  type Lease,
  leaseMs,
  mayKeepLease,
  OverBudget,
  platformCount,
  verdictOn,
  withoutLeases,
} from '../../core/request-budget.ts';
import { env } from '../../env.ts';
import { count } from '../../observability/count.ts';
import { admitRequest, newRequestBudget, releaseLeases } from '../../storage/request-budgets.ts';

/** A request that runs. */
export interface Admission {
  readonly figures: BudgetFigures;
  /** Ends its share of the units in flight. */
  release(): Promise<void>;
}

export interface RequestAdmission {
  /**
   * Admits a request to the budget of its workspace, in one write where the budget is as it was seen last. A part of the
   * requests is counted against the ceiling of the deployment, beside it.
   *
   * @throws OverBudget
   */
  admit(workspaceId: WorkspaceId, request: BudgetRequest): Promise<Admission>;
  /** Refuses a request from memory where that is certain, without any call. @throws OverBudget */
  refuseSpent(workspaceId: WorkspaceId, request: BudgetRequest): void;
}

interface Taken {
  readonly owner: BudgetOwner;
  readonly state: BudgetState;
  readonly lease: Lease;
}

/** The `Retry-After` of a deployment at its ceiling. */
const fullMs = 1000;
/** Conditions that fail because other requests changed the budget meanwhile. */
const triesMax = 10;

/** The admission of requests by one function, with what it remembers of budgets. */
export function createAdmission(): RequestAdmission {
  /**
   * Budgets as this function saw them last. A spent bucket is refused from here: it refills with time only, whatever
   * others do, so that a flood costs no writes.
   */
  const seen = new Recent<BudgetOwner, BudgetState>();

  /**
   * Leases of requests that have ended, one for each budget: the next admission removes them
   * (docs/decisions/0042-request-budget-in-one-item.md#ended-requests). One that is forgotten ends by itself.
   */
  const kept = new Recent<BudgetOwner, Lease>();

  /** Until when this function refuses every request, because the deployment was at its ceiling. */
  let fullUntil = 0;

  async function admit(workspaceId: WorkspaceId, request: BudgetRequest): Promise<Admission> {
    const [own, platform] = await Promise.allSettled([
      take(workspaceId, request),
      takeOfPlatform(workspaceId),
    ]);
    if (own.status === 'fulfilled' && platform.status === 'fulfilled') {
      return {
        figures: figuresOf(own.value.state, request, now()),
        async release() {
          await Promise.all([end(own.value, request), platform.value && release(platform.value)]);
        },
      };
    }
    if (own.status === 'fulfilled') await end(own.value, request);
    if (platform.status === 'fulfilled' && platform.value) await release(platform.value);
    throw own.status === 'rejected' ? own.reason : Object(platform).reason;
  }

  /** Counts one request of a few against the ceiling of the deployment; null: this one is not counted. @throws OverBudget */
  async function takeOfPlatform(workspaceId: WorkspaceId): Promise<Taken | null> {
    const { REQUEST_CEILING: ceiling } = env();
    if (ceiling === 0) return null;
    if (now() < fullUntil) throw atCapacity(workspaceId);
    const { weight, shards } = platformCount(ceiling);
    if (random() >= 1 / weight) return null;
    const shard = Math.floor(random() * shards);
    try {
      return await take(`platform-${shard}`, { units: weight, namesSpace: false });
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error;
      fullUntil = now() + fullMs;
      throw atCapacity(workspaceId);
    }
  }

  function atCapacity(workspaceId: WorkspaceId): OverBudget {
    const state = seen.get(workspaceId) ?? newRequestBudget(workspaceId);
    const figures = figuresOf(state, { namesSpace: false }, now());
    return new OverBudget('The service is at capacity.', fullMs / 1000, figures);
  }

  /** Spends the units of a request, and gives back those of the one before it. @throws OverBudget */
  async function take(owner: BudgetOwner, request: BudgetRequest): Promise<Taken> {
    let state = seen.get(owner) ?? newRequestBudget(owner);
    refuseSpentState(state, request);
    const last = kept.get(owner);
    let ended = last ? [last] : [];
    // A request beside this one leaves the lease alone.
    kept.delete(owner);
    try {
      for (let tries = 1; tries <= triesMax; tries++) {
        const lease: Lease = { id: newToken(6), ...request, until: now() + leaseMs };
        const result = await admitRequest(owner, state, request, { lease, ended }, now());
        state = result.state;
        seen.set(owner, state);
        if (result.isAdmitted) {
          ended = [];
          return { owner, state, lease };
        }
        refuseSpentState(state, request);
        // A lease that expired may be gone: another request gave its units back.
        const { leases } = state;
        ended = ended.filter(({ id }) => leases.some((lease) => lease.id === id));
        const rest = withoutLeases(state, ended);
        if (verdictOn(rest, request, now()).kind === 'in flight') {
          const unused = [...ended, ...expiredLeases(rest, now())];
          if (unused.length === 0) break;
          if (await releaseLeases(owner, unused)) ended = [];
        }
      }
    } finally {
      for (const lease of ended) keep(owner, lease);
    }
    count('RequestsOverBudget', null);
    throw new OverBudget(
      'Too many requests of the workspace run at the same time.',
      1,
      figuresOf(state, request, now()),
    );
  }

  /** Ends a request of a workspace: its lease is kept for the next request, or released with those that expired. */
  async function end({ owner, state, lease }: Taken, request: BudgetRequest): Promise<void> {
    if (mayKeepLease(state, request) && keep(owner, lease)) return;
    const expired = expiredLeases(state, now()).filter(({ id }) => id !== lease.id);
    if (expired.length > 0 && (await releaseLeases(owner, [lease, ...expired]))) return;
    await releaseLeases(owner, [lease]);
  }

  /** False where a lease is kept already. */
  function keep(owner: BudgetOwner, lease: Lease): boolean {
    if (kept.get(owner)) return false;
    kept.set(owner, lease);
    return true;
  }

  return {
    admit,
    refuseSpent(workspaceId, request) {
      const state = seen.get(workspaceId);
      if (state) refuseSpentState(state, request);
    },
  };
}

async function release({ owner, lease }: Taken): Promise<void> {
  await releaseLeases(owner, [lease]);
}

function refuseSpentState(state: BudgetState, request: BudgetRequest): void {
  const verdict = verdictOn(state, request, now());
  if (verdict.kind !== 'spent') return;
  count('RequestsOverBudget', null);
  throw new OverBudget(
    request.namesSpace
      ? 'The request budget is spent. Requests that name a space have half of it.'
      : 'The request budget of the workspace is spent.',
    (verdict.until - now()) / 1000,
    figuresOf(state, request, now()),
  );
}
