/**
 * Admits requests to the budget of their workspace (docs/concepts/request-budget.md).
 *
 * `begin` stands before authentication: where the key was seen before, the budget is asked beside the key, so that the
 * request waits for one call instead of two. `complete` stands behind it and counts what authentication confirmed.
 */
import { budgetUnits, scopeAllows } from '../../core/access/access.ts';
import type { Caller } from '../../core/access/api-key.ts';
import type { BudgetRequest } from '../../core/access/request-budget.ts';
import { describeError, logEvent } from '../../observability/log.ts';
import type { Admission, RequestAdmission } from '../../services/admission/admit-request.ts';
import type { Contract } from '../contract.ts';
import type { Middleware, RequestContext } from '../request-context.ts';
import { bearerToken, callerOf } from './authenticate.ts';

export interface Admitting extends RequestAdmission {
  /** The caller that a key had when it was last seen here, where it can be used from the address. */
  recallCaller(token: string, sourceIp: string): Caller | null;
}

type Admitted = Pick<Contract, 'id' | 'path' | 'budget' | 'scope'>;

export function admission(
  contract: Admitted,
  { recallCaller, admit, refuseSpent }: Admitting,
): { readonly begin: Middleware; readonly complete: Middleware } {
  const begun = new WeakMap<RequestContext, Promise<Admission>>();
  const release: NonNullable<Middleware['after']> = async ({ event: context }) => {
    const admitted = await begun.get(context)?.catch(() => null);
    begun.delete(context);
    // A lease that is not released ends by itself.
    await admitted?.release().catch((error: unknown) => {
      logEvent('api.budget_not_released', {
        operation: contract.id,
        request_id: context.requestId,
        error: describeError(error),
      });
    });
  };
  return {
    begin: {
      before({ event: context }) {
        const token = bearerToken(context);
        const { sourceIp } = context.event.requestContext.http;
        const caller = token === null ? null : recallCaller(token, sourceIp);
        if (!caller || !scopeAllows(caller.scope, contract.scope)) return;
        const request = budgetRequestOf(contract, context);
        refuseSpent(caller.workspaceId, request);
        const asked = admit(caller.workspaceId, request);
        // `complete` awaits it; until then a refusal is no unhandled rejection.
        asked.catch(() => {});
        begun.set(context, asked);
      },
      after: release,
      onError: release,
    },
    complete: {
      async before({ event: context }) {
        const asked =
          begun.get(context) ?? admit(callerOf(context).workspaceId, budgetRequestOf(contract, context));
        begun.set(context, asked);
        context.budget = (await asked).figures;
      },
    },
  };
}

/** What a request costs, by its contract and its address. */
export function budgetRequestOf(
  { path, budget }: Pick<Contract, 'path' | 'budget'>,
  { event: { queryStringParameters: query = {} } }: Pick<RequestContext, 'event'>,
): BudgetRequest {
  const isSearch = query.query !== undefined;
  const named = budget === 'read, or query with a search term' ? (isSearch ? 'query' : 'read') : budget;
  return {
    units: budgetUnits[named],
    namesSpace: path.includes('/spaces/{space_id}') || (query.space?.startsWith('spc_') ?? false),
  };
}
