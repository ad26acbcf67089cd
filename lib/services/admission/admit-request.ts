/** Admission of requests to the budget of their workspace (docs/concepts/request-budget.md). */
import { now } from '../../adapters/clock.ts';
import { random } from '../../adapters/random.ts';
import {
  type BudgetFigures,
  type BudgetRequest,
  countedOneOf,
  figuresOf,
  OverBudget,
  platformCount,
} from '../../core/access/request-budget.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { env } from '../../env.ts';
import { releaseLeases } from '../../storage/workspaces/request-budgets.ts';
import { createBudgets, type Taken } from './budgets.ts';

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

/** The `Retry-After` of a deployment at its ceiling. */
const fullMs = 1000;

/** The admission of requests by one function, with what it remembers of budgets. */
export function createAdmission(): RequestAdmission {
  const budgets = createBudgets();
  /** Until when this function refuses every request, because the deployment was at its ceiling. */
  let fullUntil = 0;

  async function admit(workspaceId: WorkspaceId, request: BudgetRequest): Promise<Admission> {
    const [own, platform] = await Promise.allSettled([
      takeOfWorkspace(workspaceId, request),
      takeOfPlatform(workspaceId),
    ]);
    const end = async () => {
      await Promise.all([
        own.status === 'fulfilled' && own.value && budgets.end(own.value, request),
        platform.status === 'fulfilled' && platform.value && release(platform.value),
      ]);
    };
    if (own.status === 'fulfilled' && platform.status === 'fulfilled') {
      const state = own.value?.state ?? budgets.stateOf(workspaceId);
      return { figures: figuresOf(state, request, now()), release: end };
    }
    await end();
    throw own.status === 'rejected' ? own.reason : Object(platform).reason;
  }

  /** Counts a request; of a large budget one of a few, for all of them. null: this one is not counted. @throws OverBudget */
  async function takeOfWorkspace(workspaceId: WorkspaceId, request: BudgetRequest): Promise<Taken | null> {
    const { isDefault, limits } = budgets.stateOf(workspaceId);
    const weight = isDefault ? 1 : countedOneOf(limits);
    if (weight > 1) {
      budgets.refuseSpent(workspaceId, request);
      if (random() >= 1 / weight) return null;
    }
    return await budgets.take(workspaceId, { ...request, units: request.units * weight });
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
      return await budgets.take(`platform-${shard}`, { units: weight, namesSpace: false });
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error;
      fullUntil = now() + fullMs;
      throw atCapacity(workspaceId);
    }
  }

  function atCapacity(workspaceId: WorkspaceId): OverBudget {
    const figures = figuresOf(budgets.stateOf(workspaceId), { namesSpace: false }, now());
    const detail =
      'The service is at capacity. Its operator raises the ceiling with the setting requestCeiling, and the quota of the ' +
      'account with lambdaConcurrency.';
    return new OverBudget(detail, fullMs / 1000, figures);
  }

  return { admit, refuseSpent: budgets.refuseSpent };
}

async function release({ owner, lease }: Taken): Promise<void> {
  await releaseLeases(owner, [lease]);
}
