/** Error bodies of version 1 (docs/concepts/v1.md#errors). */
import * as z from 'zod';
import { type Problem, type ProblemCode, problemStatus } from '../core/problems.ts';
import { issueSchema } from './issues.ts';

/** The codes of version 1, each with its status. */
export const v1ErrorStatus = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_SERVER_ERROR: 500,
} as const;

export type V1ErrorCode = keyof typeof v1ErrorStatus;

export const v1ErrorSchema = z
  .strictObject({
    code: z
      .enum(Object.keys(v1ErrorStatus) as [V1ErrorCode, ...V1ErrorCode[]])
      .describe('What went wrong; stable, so that programs can branch on it.')
      .meta({ id: 'V1ErrorCode' }),
    message: z.string().describe('A sentence for people; its wording may change.'),
    issues: z
      .array(issueSchema)
      .describe('The invalid parts of the request, at most 100; empty where the error is another.'),
  })
  .meta({ id: 'V1ErrorBody', description: 'The body of every failure.' });

/** The code of version 1 for a problem. A path that lacks a method is unknown, as version 1 has no code for it. */
export function v1ErrorCodeOf(code: ProblemCode): V1ErrorCode {
  switch (problemStatus[code]) {
    case 400:
    case 409:
    case 413:
    case 415:
    case 422:
      return 'BAD_REQUEST';
    case 401:
      return 'UNAUTHORIZED';
    case 403:
      return 'FORBIDDEN';
    case 404:
    case 405:
      return 'NOT_FOUND';
    case 429:
      return 'TOO_MANY_REQUESTS';
    case 500:
    case 502:
      return 'INTERNAL_SERVER_ERROR';
  }
}

/** Status and body of a problem in version 1. */
export function presentV1Error(problem: Problem): {
  readonly status: number;
  readonly body: z.input<typeof v1ErrorSchema>;
} {
  const code = v1ErrorCodeOf(problem.code);
  return {
    status: v1ErrorStatus[code],
    body: { code, message: problem.message, issues: [...(problem.issues ?? [])] },
  };
}
