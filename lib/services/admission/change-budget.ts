/** Limits of a workspace's request budget, which the operator changes. */

import type { BudgetLimits } from '../../core/access/request-budget.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { env } from '../../env.ts';
import { findRequestBudget, setBudgetLimits } from '../../storage/workspaces/request-budgets.ts';

/**
 * Changes the limits that `change` names, and returns the limits in force.
 *
 * @param change null: the default of the deployment
 */
export async function changeBudget(
  workspaceId: WorkspaceId,
  change: { readonly [Name in keyof BudgetLimits]?: number | undefined } | null,
): Promise<BudgetLimits> {
  if (!change) {
    await setBudgetLimits(workspaceId, null);
    return env().REQUEST_BUDGET;
  }
  const { limits } = await findRequestBudget(workspaceId);
  const { unitsPerSecond, capacity, inFlight } = change;
  if (unitsPerSecond === undefined && capacity === undefined && inFlight === undefined) return limits;
  const changed = {
    unitsPerSecond: unitsPerSecond ?? limits.unitsPerSecond,
    capacity: capacity ?? limits.capacity,
    inFlight: inFlight ?? limits.inFlight,
  };
  await setBudgetLimits(workspaceId, changed);
  return changed;
}
