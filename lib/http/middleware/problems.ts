/** Turns errors into problem bodies (RFC 9457); every error but a Problem is logged and shown as `internal_error`. */

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
          : new Problem(
              'internal_error',
              'The request failed because of an internal error. Retry it later.',
              {
                cause: error,
              },
            );
      if (problem.status >= 500) logFailure({ operation, requestId: context.requestId, error: problem });
      request.response = problemResponse(problem, {
        requestId: context.requestId,
        docsUrl: urls().docsUrl || context.baseUrl,
      });
    },
  };
}
