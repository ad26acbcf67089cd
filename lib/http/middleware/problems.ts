/** Turns errors into problem bodies (RFC 9457), or those of version 1; every error but a Problem is logged and shown as `internal_error`. */

import { Problem } from '../../core/problems.ts';
import { OverBudget } from '../../core/request-budget.ts';
import { describeError, logEvent } from '../../observability/log.ts';
import { problemResponse } from '../problem-body.ts';
import type { Middleware, PublicUrls } from '../request-context.ts';
import { versionOf } from '../versions.ts';

export function problems(operation: string, urls: () => PublicUrls): Middleware {
  return {
    onError(request) {
      const { event: context, error } = request;
      const problem =
        error instanceof Problem
          ? error
          : new Problem(
              'internal_error',
              'The request failed because of an internal error. Retry it later.',
              {
                cause: error,
              },
            );
      if (problem instanceof OverBudget) context.budget = problem.figures;
      if (problem.status >= 500) log(operation, context.requestId, problem);
      request.response = problemResponse(problem, {
        requestId: context.requestId,
        docsUrl: urls().docsUrl || context.baseUrl,
        version: versionOf(context.event.rawPath),
      });
    },
  };
}

/** The detail of a problem of SES may name addresses, so that only its code is logged. */
function log(operation: string, requestId: string, problem: Problem): void {
  const request = { operation, request_id: requestId };
  if (problem.code !== 'internal_error') logEvent('api.provider_error', { ...request, code: problem.code });
  else logEvent('api.internal_error', { ...request, error: describeError(problem) });
}
