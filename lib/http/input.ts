/** Parses path parameters, query and body, and checks them with the schemas of the contract. */
import type * as z from 'zod';
import { Problem, type ProblemCode } from '../core/problems.ts';
import { readJson } from './body.ts';
import type { Contract } from './contract.ts';
import { invalid, parseOptions } from './issues.ts';
import type { RequestContext } from './request-context.ts';

export interface Input<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType | null> {
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  /** null where the operation takes no body. */
  readonly body: Body extends z.ZodType ? z.output<Body> : null;
}

/**
 * Reads the input of a request: media type and JSON, path, query, body, in this order.
 *
 * @throws Problem no_body, or as `readJson`; not_found for path parameters, invalid_query for the query, invalid_request for the body, or the code
 *   that a failed check of the schema names (`params: { problem }`)
 */
export function readInput<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType | null,
>(
  contract: Contract<Params, Query, Body>,
  context: Pick<RequestContext, 'event' | 'headers'>,
): Input<Params, Query, Body> {
  const { pathParameters, rawQueryString } = context.event;
  const json = contract.body ? readJson(context) : undefined;
  if (json === undefined && needsBody(contract)) {
    throw new Problem('no_body', 'This operation needs a JSON body.');
  }
  return {
    params: parse(contract.params, pathParameters ?? {}, {
      code: 'not_found',
      detail: 'The resource does not exist.',
    }),
    query: parse(contract.query, readQuery(rawQueryString, contract.query.shape), invalidQuery),
    body: readBody(contract, json),
  };
}

function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  fallback: { code: ProblemCode; detail: string },
): z.output<Schema> {
  const parsed = schema.safeParse(value, parseOptions);
  if (!parsed.success) throw invalid(parsed.error, fallback);
  return parsed.data;
}

/**
 * Reads the raw query: the gateway's parsed one joins repeated parameters with commas.
 *
 * @param known the parameters of the operation
 */
function readQuery(raw: string, known: object): Record<string, string> {
  const pairs = [...new URLSearchParams(raw)];
  const counts = Map.groupBy(pairs, ([name]) => name);
  const issues = [...counts].flatMap(([path, { length }]) => {
    if (!Object.hasOwn(known, path)) return [{ path, message: 'is not a parameter of this operation' }];
    return length > 1 ? [{ path, message: 'is given more than once' }] : [];
  });
  if (issues.length > 0) throw new Problem(invalidQuery.code, invalidQuery.detail, { issues });
  return Object.fromEntries(pairs);
}

const invalidQuery = { code: 'invalid_query', detail: 'A query parameter is invalid.' } as const;
const invalidBody = {
  code: 'invalid_request',
  detail: 'The body failed validation.',
} as const;

function readBody<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType | null>(
  contract: Contract<Params, Query, Body>,
  json: unknown,
): Input<Params, Query, Body>['body'];
function readBody(contract: Contract, json: unknown): unknown {
  if (!contract.body) return null;
  const body = parse(contract.body, json, invalidBody);
  if (contract.method === 'PATCH' && isEmpty(json)) {
    throw new Problem(invalidBody.code, invalidBody.detail, {
      issues: [{ path: '', message: 'at least one field is required' }],
    });
  }
  return body;
}

const isEmpty = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && Object.keys(json).length === 0;

/** Whether a request without a body is refused: the schema decides whether it accepts `undefined`. */
export function needsBody({ body }: Pick<Contract, 'body'>): boolean {
  return body !== null && !body.safeParse(undefined).success;
}
