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
  OverBudget,
  platformCount,
  verdictOn,
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

/**
 * Budgets as this function saw them last. A spent bucket is refused from here: it refills with time only, whatever
 * others do, so that a flood costs no writes.
 */
const seen = new Recent<BudgetOwner, BudgetState>();

/** Until when this function refuses every request, because the deployment was at its ceiling. */
let fullUntil = 0;
/** The `Retry-After` of a deployment at its ceiling. */
const fullMs = 1000;

/**
 * Admits a request to the budget of its workspace, in one write where the budget is as it was seen last. A part of the
 * requests is counted against the ceiling of the deployment, beside it.
 *
 * @throws OverBudget
 */
export async function admit(workspaceId: WorkspaceId, request: BudgetRequest): Promise<Admission> {
  const [own, platform] = await Promise.allSettled([take(workspaceId, request), takeOfPlatform(workspaceId)]);
  if (own.status === 'fulfilled' && platform.status === 'fulfilled') {
    const { state, lease } = own.value;
    return {
      figures: figuresOf(state, request, now()),
      async release() {
        await Promise.all([
          releaseLeases(workspaceId, [lease]),
          ...(platform.value ? [releaseLeases(platform.value.owner, [platform.value.lease])] : []),
        ]);
      },
    };
  }
  if (own.status === 'fulfilled') await releaseLeases(workspaceId, [own.value.lease]);
  if (platform.status === 'fulfilled' && platform.value) {
    await releaseLeases(platform.value.owner, [platform.value.lease]);
  }
  throw own.status === 'rejected' ? own.reason : Object(platform).reason;
}

interface Taken {
  readonly owner: BudgetOwner;
  readonly state: BudgetState;
  readonly lease: Lease;
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

/** Conditions that fail because other requests changed the budget meanwhile. */
const triesMax = 10;

/** Spends the units of a request. @throws OverBudget */
async function take(owner: BudgetOwner, request: BudgetRequest): Promise<Taken> {
  let state = seen.get(owner) ?? newRequestBudget(owner);
  refuseSpent(state, request);
  for (let tries = 1; tries <= triesMax; tries++) {
    const lease: Lease = { id: newToken(6), ...request, until: now() + leaseMs };
    const result = await admitRequest(owner, state, request, lease, now());
    state = result.state;
    seen.set(owner, state);
    if (result.isAdmitted) return { owner, state, lease };
    refuseSpent(state, request);
    if (verdictOn(state, request, now()).kind === 'in flight') {
      const expired = expiredLeases(state, now());
      if (expired.length === 0) break;
      await releaseLeases(owner, expired);
    }
  }
  count('RequestsOverBudget', null);
  throw new OverBudget(
    'Too many requests of the workspace run at the same time.',
    1,
    figuresOf(state, request, now()),
  );
}

/** Refuses a request from memory where that is certain, without any call. @throws OverBudget */
export function refuseSpentBudget(workspaceId: WorkspaceId, request: BudgetRequest): void {
  const state = seen.get(workspaceId);
  if (state) refuseSpent(state, request);
}

function refuseSpent(state: BudgetState, request: BudgetRequest): void {
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
