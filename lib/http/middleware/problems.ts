/** Turns whatever was thrown into a problem body; what is no Problem is logged and shown as `internal_error`. */

import { Problem } from '../../domain/problems.ts';
import type { Layer, PublicUrls } from '../exchange.ts';
import { logFailure } from '../log-failure.ts';
import { problemAnswer } from '../problem-body.ts';

export function problems(operation: string, urls: () => PublicUrls): Layer {
  return {
    onError(request) {
      const { event: exchange, error } = request;
      const problem =
        error instanceof Problem
          ? error
          : new Problem('internal_error', 'Something went wrong on our side. Please try again.', {
              cause: error,
            });
      if (problem.status >= 500) logFailure({ operation, requestId: exchange.requestId, error: problem });
      request.response = problemAnswer(problem, {
        requestId: exchange.requestId,
        docsUrl: urls().docsUrl || exchange.baseUrl,
      });
    },
  };
}
