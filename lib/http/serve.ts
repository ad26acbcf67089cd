/** Makes a Lambda handler of an operation's contract and of the function that does its work. */
import middy from '@middy/core';
import type * as z from 'zod';
import { env } from '../env.ts';
import { type Caller, authenticate as findCaller } from '../storage/api-keys.ts';
import type { Contract, ResponseSpec } from './contract.ts';
import { openCursor, sealCursor } from './cursors.ts';
import { type Input, needsBody, readInput } from './input.ts';
import { type Authenticate, authenticate, callerOf } from './middleware/authenticate.ts';
import { json } from './middleware/json.ts';
import { mediaType } from './middleware/media-type.ts';
import { problems } from './middleware/problems.ts';
import { requestId } from './middleware/request-id.ts';
import { responseHeaders } from './middleware/response-headers.ts';
import { scope } from './middleware/scope.ts';
import {
  createRequestContext,
  type GatewayResponse,
  type LambdaHandler,
  type PublicUrls,
  type RequestContext,
} from './request-context.ts';

/** A request that has passed every check its contract states. */
export interface ApiRequest<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType | null = z.ZodType | null,
> extends Input<Params, Query, Body> {
  readonly caller: Omit<Caller, 'cursorSecret'>;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** Scheme and host that the API is reached at, without a slash at the end. */
  readonly baseUrl: string;
  /**
   * Which page of a list is asked for. `after` is what this operation gave to `nextCursor`: a cursor proves its origin,
   * so that its type is the operation's own affair.
   */
  page<Position = string>(): { limit: number; after: Position | null };
  /** `next_cursor` of a page; null stays null. */
  nextCursor(position: unknown): string | null;
}

/** One of the answers of the contract, its body as the schema takes it. */
export type ApiResponse<Answers extends Readonly<Record<number, ResponseSpec>>> = {
  [Status in keyof Answers & number]: {
    readonly status: Status;
    readonly body: Answers[Status]['body'] extends z.ZodType ? z.input<Answers[Status]['body']> : null;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof Answers & number];

/** What a handler stands on; tests put their own here. */
export interface Dependencies {
  readonly findCaller: Authenticate;
  readonly urls: () => PublicUrls;
}

const deployed: Dependencies = {
  findCaller,
  urls: () => ({ apiBaseUrl: env().API_BASE_URL, docsUrl: env().DOCS_URL }),
};

/**
 * The Lambda handler of an operation. Checks come in the order of the interface: key, scope, media type, JSON, path,
 * query, body; `handle` sees only what passed them all. It answers with one of the contract's answers or throws a
 * Problem; whatever else it throws is logged and answered as `internal_error`.
 */
export function serve<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType | null,
  Answers extends Readonly<Record<number, ResponseSpec>>,
>(
  contract: Contract<Params, Query, Body, Answers>,
  handle: (request: ApiRequest<Params, Query, Body>) => Promise<ApiResponse<NoInfer<Answers>>>,
  dependencies: Dependencies = deployed,
): LambdaHandler {
  const pipeline = middy<RequestContext, GatewayResponse>(async (exchange: RequestContext) => {
    const input = readInput(contract, exchange);
    const reply = await handle({ ...input, ...paging(contract.id, exchange, input), ...about(exchange) });
    return answer(reply);
  })
    .use(requestId())
    .use(responseHeaders())
    .use(problems(contract.id, dependencies.urls))
    .use(authenticate(contract.id, dependencies.findCaller))
    .use(scope(contract.scope));
  if (contract.body) pipeline.use(mediaType()).use(json({ isRequired: needsBody(contract) }));
  return (event, context) => pipeline(createRequestContext(event, dependencies.urls()), context);
}

function about(exchange: RequestContext) {
  const { cursorSecret, ...caller } = callerOf(exchange);
  const { headers, requestId, baseUrl } = exchange;
  return { caller, headers, requestId, baseUrl };
}

/** The cursor is opened before the handler runs, so that no list can forget to. */
function paging(
  operation: string,
  exchange: RequestContext,
  input: { params: Record<string, unknown>; query: Record<string, unknown> },
) {
  const { limit, cursor, ...query } = input.query;
  const secret = callerOf(exchange).cursorSecret;
  const binding = { secret, operation, filters: { ...input.params, ...query } };
  const after = typeof cursor === 'string' ? openCursor(binding, cursor) : null;
  return {
    page<Position>() {
      if (typeof limit !== 'number') throw new Error(`${operation} has no pages: its query lacks pageQuery`);
      return { limit, after: after as Position | null };
    },
    nextCursor: (position: unknown) => (position === null ? null : sealCursor(binding, position)),
  };
}

function answer(reply: {
  status: number;
  body: unknown;
  headers?: Readonly<Record<string, string>>;
}): GatewayResponse {
  if (reply.body === null) return { statusCode: reply.status, headers: { ...reply.headers } };
  return {
    statusCode: reply.status,
    headers: { ...reply.headers, 'content-type': 'application/json' },
    body: JSON.stringify(reply.body),
  };
}
