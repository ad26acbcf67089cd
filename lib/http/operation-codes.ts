/** The error codes that an operation can answer with: those of the middleware and those of the contract. */

import type * as z from 'zod';
import { type ProblemCode, problemStatus } from '../core/problems.ts';
import type { Contract } from './contract.ts';
import { needsBody } from './input.ts';
import { type Json, referencePrefix, schemaCollector } from './openapi-schemas.ts';
import { type V1ErrorCode, v1ErrorCodeOf, v1ErrorStatus } from './v1-error.ts';

/** Every code that the operation can answer with: those of the middleware and those of the contract. */
export function codesOf(contract: Contract): ProblemCode[] {
  const { params, query, body, scope, problems } = contract;
  const names = [...Object.keys(params.shape), ...Object.keys(query.shape)];
  const codes: ProblemCode[] = [
    'invalid_query',
    'unauthorized',
    'too_many_requests',
    'internal_error',
    ...problems,
  ];
  if (scope !== 'read') codes.push('forbidden');
  if ('cursor' in query.shape) codes.push('invalid_cursor');
  // In version 1, a malformed thread id is an unknown one.
  if (names.includes('thread_id')) codes.push('invalid_thread_id');
  if ('thread_id' in params.shape) codes.push('thread_not_found');
  if (names.some((name) => name === 'space' || (isIdName(name) && name in params.shape))) {
    codes.push('not_found');
  }
  if (body && bodyFields(body).some(isIdName)) codes.push('not_found');
  if (body) codes.push('invalid_json', 'unsupported_media_type', 'invalid_request');
  if (needsBody(contract)) codes.push('no_body');
  return [...new Set(codes)].sort((a, b) => problemStatus[a] - problemStatus[b] || (a < b ? -1 : 1));
}

/** Thread ids of version 2 have problem codes of their own. */
const isIdName = (name: string): boolean =>
  (name.endsWith('_id') && name !== 'thread_id') || name.endsWith('Id');

/** The fields of a body that take an id of this API: `external_id` does not. */
function bodyFields(body: z.ZodType): string[] {
  const { describe, components } = schemaCollector();
  const { $ref, ...inline } = describe(body);
  const schema = typeof $ref === 'string' ? components[$ref.slice(referencePrefix.length)] : inline;
  const { properties = {} } = schema as { properties?: Readonly<Record<string, Json>> };
  return Object.entries(properties).flatMap(([name, inner]) =>
    /schemas\/\w+Id"/.test(JSON.stringify(inner)) ? [name] : [],
  );
}

/** Every code that an operation of version 1 can answer with. */
export function v1CodesOf(contract: Contract): V1ErrorCode[] {
  const codes = new Set(codesOf(contract).map(v1ErrorCodeOf));
  return [...codes].sort((a, b) => v1ErrorStatus[a] - v1ErrorStatus[b]);
}
