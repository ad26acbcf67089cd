/** Turns whatever was thrown into a problem body; what is no Problem is logged and shown as `internal_error`. */

import { Problem } from '../../core/problems.ts';
import { logFailure } from '../log-failure.ts';
import { problemResponse } from '../problem-body.ts';
import type { Middleware, PublicUrls } from '../request-context.ts';

export function problems(operation: string, urls: () => PublicUrls): Middleware {
  return {
    onError(request) {
      const { event: context, error } = request;
      const problem =
        error instanceof Problem
          ? error
          : new Problem('internal_error', 'Something went wrong on our side. Please try again.', {
              cause: error,
            });
      if (problem.status >= 500) logFailure({ operation, requestId: context.requestId, error: problem });
      request.response = problemResponse(problem, {
        requestId: context.requestId,
        docsUrl: urls().docsUrl || context.baseUrl,
      });
    },
  };
}
