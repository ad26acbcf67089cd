/** Problem bodies (RFC 9457; docs/concepts/errors.md). */
import { STATUS_CODES } from 'node:http';
import * as z from 'zod';
import { type Problem, type ProblemCode, problemStatus } from '../core/problems.ts';
import type { GatewayResponse } from './request-context.ts';

export const problemMediaType = 'application/problem+json';

export const problemSchema = z
  .strictObject({
    type: z.url().describe('The page of the code: `{docs_url}/problems/<code>`.'),
    title: z.string().describe('The reason phrase of the status.'),
    status: z.int(),
    detail: z.string().describe('A sentence for people; its wording may change.'),
    code: z
      .enum(Object.keys(problemStatus) as [ProblemCode, ...ProblemCode[]])
      .describe('Stable: branch on it.')
      .meta({ id: 'ProblemCode' }),
    request_id: z.string().describe('The value of `X-Request-ID`.'),
    issues: z
      .array(z.strictObject({ path: z.string(), message: z.string() }).meta({ id: 'Issue' }))
      .optional()
      .describe('The invalid parts of the request. `path` is dotted, such as `to.0.address`.'),
  })
  .meta({ id: 'Problem' });

/**
 * Builds the response of a problem.
 *
 * @param context.docsUrl with or without a trailing slash
 */
export function problemResponse(
  problem: Problem,
  context: { requestId: string; docsUrl: string },
): GatewayResponse {
  const body: z.input<typeof problemSchema> = {
    type: `${context.docsUrl.replace(/\/+$/, '')}/problems/${problem.code}`,
    title: STATUS_CODES[problem.status] ?? 'Error',
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    request_id: context.requestId,
    ...(problem.issues && { issues: [...problem.issues] }),
  };
  return {
    statusCode: problem.status,
    headers: { ...lowerCased(problem.headers), 'content-type': problemMediaType },
    body: JSON.stringify(body),
  };
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
