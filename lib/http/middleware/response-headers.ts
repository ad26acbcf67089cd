/** Adds the headers that every response carries: `Cache-Control` where the response has none, `X-Request-ID`, and what is left of the request budget. */
import type { BudgetFigures } from '../../core/access/request-budget.ts';
import type { Middleware } from '../request-context.ts';

export function responseHeaders(): Middleware {
  const complete: NonNullable<Middleware['after']> = ({ event: context, response }) => {
    if (!response) return;
    response.headers = {
      'cache-control': 'private, no-store',
      ...response.headers,
      'x-request-id': context.requestId,
      // A `403` may also come from the operation, after the budget.
      ...(context.budget && response.statusCode !== 403 && budgetHeaders(context.budget)),
    };
  };
  return { after: complete, onError: complete };
}

function budgetHeaders({ limit, remaining, resetSeconds }: BudgetFigures) {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  };
}
