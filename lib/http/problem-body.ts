/** Problem bodies (RFC 9457; docs/concepts/errors.md). */
import { STATUS_CODES } from 'node:http';
import * as z from 'zod';
import { type Problem, type ProblemCode, problemStatus } from '../core/problems.ts';
import { issueSchema } from './issues.ts';
import type { GatewayResponse } from './request-context.ts';
import { timestampOf, timestampSchema } from './schemas.ts';
import { presentV1Error } from './v1-error.ts';
import type { ApiVersion } from './versions.ts';

export const problemMediaType = 'application/problem+json';

export const problemSchema = z
  .strictObject({
    type: z.url().describe('The page of the code: `{docs_url}/problems/<code>`.'),
    title: z.string().describe('The reason phrase of the status.'),
    status: z.int().min(400).max(599).describe('The status of the response, repeated.'),
    detail: z.string().describe('A sentence for people; its wording may change.'),
    code: z
      .enum(Object.keys(problemStatus) as [ProblemCode, ...ProblemCode[]])
      .describe('What went wrong; stable, so that programs can branch on it.')
      .meta({ id: 'ProblemCode' }),
    request_id: z.string().describe('The value of `X-Request-ID`.'),
    issues: z
      .array(issueSchema)
      .optional()
      .describe('The invalid parts of the request, at most 100; absent where the problem is another.'),
    owner: z
      .string()
      .optional()
      .describe('Of `thread_claimed`: who has the claim; absent where nobody has one.'),
    expires_at: timestampSchema.optional().describe('Of `thread_claimed`: when that claim expires.'),
  })
  .meta({ id: 'Problem', description: 'The body of every failure (RFC 9457).' });

/**
 * Builds the response of a problem, in the form of the API's version.
 *
 * @param context.docsUrl with or without a trailing slash
 */
export function problemResponse(
  problem: Problem,
  context: { requestId: string; docsUrl: string; version: ApiVersion },
): GatewayResponse {
  if (context.version === 1) {
    const { status, body } = presentV1Error(problem);
    return responseOf(problem, status, 'application/json', body);
  }
  const body: z.input<typeof problemSchema> = {
    type: `${context.docsUrl.replace(/\/+$/, '')}/problems/${problem.code}`,
    title: STATUS_CODES[problem.status] ?? 'Error',
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    request_id: context.requestId,
    ...(problem.issues && { issues: [...problem.issues] }),
    ...(problem.claim && { owner: problem.claim.owner, expires_at: timestampOf(problem.claim.expiresAt) }),
  };
  return responseOf(problem, problem.status, problemMediaType, body);
}

function responseOf(
  { headers }: Problem,
  statusCode: number,
  mediaType: string,
  body: object,
): GatewayResponse {
  return {
    statusCode,
    headers: { ...lowerCased(headers), 'content-type': mediaType },
    body: JSON.stringify(body),
  };
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
