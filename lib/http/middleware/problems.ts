/** Turns errors into problem bodies (RFC 9457), or those of version 1; every error but a Problem is logged and shown as `internal_error`. */

import { OverBudget } from '../../core/access/request-budget.ts';
import { Problem } from '../../core/problems.ts';
import { TableBusy } from '../../core/work/table-busy.ts';
import { describeError, logEvent } from '../../observability/log.ts';
import { problemResponse } from '../problem-body.ts';
import type { Middleware, PublicUrls } from '../request-context.ts';
import { versionOf } from '../versions.ts';

export function problems(operation: string, urls: () => PublicUrls): Middleware {
  return {
    onError(request) {
      const { event: context, error } = request;
      const problem = toProblem(operation, context.requestId, error);
      if (problem instanceof OverBudget) context.budget = problem.figures;
      request.response = problemResponse(problem, {
        requestId: context.requestId,
        docsUrl: urls().docsUrl || context.baseUrl,
        version: versionOf(context.event.rawPath),
      });
    },
  };
}

/** A partition of the table takes as much again a second later ("Best practices for designing and using partition keys effectively" in the Amazon DynamoDB Developer Guide). */
const busySeconds = 1;

/** The problem of an error; failures of ours and of SES are logged. */
export function toProblem(operation: string, requestId: string, error: unknown): Problem {
  const problem = problemOf(error);
  if (problem.status >= 500) log(operation, requestId, problem);
  return problem;
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof TableBusy) {
    return new Problem('too_many_requests', 'Too many requests at once. Retry after a second.', {
      headers: { 'retry-after': String(busySeconds) },
    });
  }
  return new Problem('internal_error', 'The request failed because of an internal error. Retry it later.', {
    cause: error,
  });
}

/** The detail of a problem of SES may name addresses, so that only its code is logged. */
function log(operation: string, requestId: string, problem: Problem): void {
  const request = { operation, request_id: requestId };
  if (problem.code !== 'internal_error') logEvent('api.provider_error', { ...request, code: problem.code });
  else logEvent('api.internal_error', { ...request, error: describeError(problem) });
}
