/** The limits of a workspace, and how much of each is used (docs/concepts/limits.md#limits-of-your-workspace). */
import { now } from '../../adapters/clock.ts';
import { type Rate, spentUnits } from '../../core/access/rate-bucket.ts';
import type { BudgetState } from '../../core/access/request-budget.ts';
import { idTime, type WorkspaceId } from '../../core/ids.ts';
import { ratesOf, type SendingGuard, warmUpEnd } from '../../core/sending/sending-guard.ts';
import {
  limitedResources,
  resourceLimits,
  type UsedBucket,
  type WorkspaceLimits,
} from '../../core/workspaces/workspace-limits.ts';
import { env } from '../../env.ts';
import { findSendLimiter } from '../../storage/sending/send-limiters.ts';
import { findSendingGuard } from '../../storage/sending/sending-guards.ts';
import { findCounts } from '../../storage/table/counters.ts';
import { findRequestBudget } from '../../storage/workspaces/request-budgets.ts';
import { currentCaps } from '../sending/sending-guard.ts';

/** Reads all of it in one call. What requests at the same time use may be missing. */
export async function getWorkspaceLimits(workspaceId: WorkspaceId): Promise<WorkspaceLimits> {
  const [budget, guard, counts, sendingRates] = await Promise.all([
    findRequestBudget(workspaceId),
    findSendingGuard(workspaceId),
    findCounts(workspaceId, limitedResources),
    Promise.all(env().MAIL_REGIONS.map(rateOf)),
  ]);
  return {
    budget: budgetOf(budget),
    recipients: recipientsOf(workspaceId, guard),
    sendingRates,
    resources: limitedResources.map((kind, at) => ({
      kind,
      used: counts[at] ?? 0,
      allowed: resourceLimits[kind],
    })),
    suspension: guard.suspension,
  };
}

async function rateOf(region: string) {
  const { ratePerSecond } = await findSendLimiter(region);
  return { region, recipientsPerSecond: ratePerSecond };
}

function usedOf(rate: Rate, fullAt: number): UsedBucket {
  const at = now();
  return {
    allowed: rate.capacity,
    used: Math.ceil(spentUnits(rate, fullAt, at)),
    freeAt: fullAt > at ? Math.round(fullAt) : null,
  };
}

function budgetOf({ limits, workspace }: BudgetState): WorkspaceLimits['budget'] {
  const { unitsPerSecond, inFlight } = limits;
  return {
    ...usedOf(limits, workspace.fullAt),
    unitsPerSecond,
    inFlightAllowed: inFlight,
    inFlight: workspace.inFlight,
  };
}

function recipientsOf(workspaceId: WorkspaceId, guard: SendingGuard): WorkspaceLimits['recipients'] {
  const { hour, day } = ratesOf(currentCaps(workspaceId, guard));
  const end = warmUpEnd(idTime(workspaceId));
  return {
    perHour: usedOf(hour, guard.hourFullAt),
    perDay: usedOf(day, guard.dayFullAt),
    warmUpEndsAt: guard.caps || end <= now() ? null : end,
  };
}
