/** Parses path parameters, query and body, and checks them with the schemas of the contract. */
import * as z from 'zod';
import { type Issue, Problem, type ProblemCode } from '../core/problems.ts';
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
    query: parseQuery(contract, rawQueryString),
    body: readBody(contract, json),
  };
}

function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  fallback: { code: ProblemCode; detail: string },
): z.output<Schema> {
  const parsed = schema.safeParse(value, parseOptions);
  if (!parsed.success) throw invalid(parsed.error.issues, fallback);
  return parsed.data;
}

/** As `parse`: an issue names a parameter, whichever of its values is invalid. */
function parseQuery<Query extends z.ZodObject>({ query }: { query: Query }, raw: string): z.output<Query> {
  const parsed = query.safeParse(readQuery(raw, query.shape), parseOptions);
  if (parsed.success) return parsed.data;
  throw invalid(
    parsed.error.issues.map((issue) => ({ ...issue, path: issue.path.slice(0, 1) })),
    invalidQuery,
  );
}

/**
 * Reads the raw query: the gateway's parsed one joins repeated parameters with commas. A parameter whose schema takes an array has
 * one, of all its values.
 *
 * @param known the parameters of the operation
 */
function readQuery(raw: string, known: Readonly<Record<string, z.core.$ZodType>>): Record<string, unknown> {
  const values = Map.groupBy(new URLSearchParams(raw), ([name]) => name);
  const issues: Issue[] = [];
  const query = [...values].map(([path, pairs]) => {
    const schema = Object.hasOwn(known, path) ? known[path] : undefined;
    const isList = schema !== undefined && z.safeParse(schema, []).success;
    if (!schema) issues.push({ path, message: 'is not a parameter of this operation' });
    else if (pairs.length > 1 && !isList) issues.push({ path, message: 'is given more than once' });
    const texts = pairs.map(([, text]) => text);
    return [path, isList ? texts : texts[0]];
  });
  if (issues.length > 0) throw new Problem(invalidQuery.code, invalidQuery.detail, { issues });
  return Object.fromEntries(query);
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
