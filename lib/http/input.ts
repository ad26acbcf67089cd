/** What a request asks for, read by the schemas of its contract: path parameters, query, body. */
import type * as z from 'zod';
import { Problem, type ProblemCode } from '../core/problems.ts';
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
 * @throws Problem not_found (or what an id's schema names) for path parameters, invalid_query, invalid_request,
 *   or the code that a failed check of the schema names
 */
export function readInput<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType | null,
>(contract: Contract<Params, Query, Body>, exchange: RequestContext): Input<Params, Query, Body> {
  const { pathParameters, rawQueryString } = exchange.event;
  return {
    params: parse(contract.params, pathParameters ?? {}, {
      code: 'not_found',
      detail: 'There is no such resource.',
    }),
    query: parse(contract.query, readQuery(rawQueryString, contract.query.shape), refusedQuery),
    body: readBody(contract, exchange.json),
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
 * The gateway joins repeated parameters by commas; the raw query still tells them apart.
 *
 * @param known the parameters that the operation has
 */
function readQuery(raw: string, known: object): Record<string, string> {
  const pairs = [...new URLSearchParams(raw)];
  const counts = Map.groupBy(pairs, ([name]) => name);
  const issues = [...counts].flatMap(([path, { length }]) => {
    if (!Object.hasOwn(known, path)) return [{ path, message: 'is no parameter of this operation' }];
    return length > 1 ? [{ path, message: 'is given more than once' }] : [];
  });
  if (issues.length > 0) throw new Problem(refusedQuery.code, refusedQuery.detail, { issues });
  return Object.fromEntries(pairs);
}

const refusedQuery = { code: 'invalid_query', detail: 'A query parameter was refused.' } as const;
const refusedBody = {
  code: 'invalid_request',
  detail: 'The body failed validation.',
} as const;

function readBody<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType | null>(
  contract: Contract<Params, Query, Body>,
  json: unknown,
): Input<Params, Query, Body>['body'];
function readBody(contract: Contract, json: unknown): unknown {
  if (!contract.body) return null;
  const body = parse(contract.body, json, refusedBody);
  // General rule 2: a partial update changes something.
  if (contract.method === 'PATCH' && isEmpty(json)) {
    throw new Problem(refusedBody.code, refusedBody.detail, {
      issues: [{ path: '', message: 'at least one field is required' }],
    });
  }
  return body;
}

const isEmpty = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && Object.keys(json).length === 0;

/** Whether a request without a body is refused: not where the body's schema takes "nothing" for an answer. */
export function needsBody({ body }: Pick<Contract, 'body'>): boolean {
  return body !== null && !body.safeParse(undefined).success;
}
