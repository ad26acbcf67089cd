/** Lambda handlers of operations: the middleware pipeline around a handler function. */
import middy from '@middy/core';
import type * as z from 'zod';
import type { Caller } from '../core/access/api-key.ts';
import { env } from '../env.ts';
import { withMetrics } from '../observability/count.ts';
import { createAdmission } from '../services/admission/admit-request.ts';
import { authenticate as findCaller, recallCaller } from '../services/api-keys/authenticate.ts';
import { openSigningSecret } from '../services/workspaces/signing-secrets.ts';
import type { Contract, ResponseSpec } from './contract.ts';
import { openCursor, sealCursor } from './cursors.ts';
import { type Input, readInput } from './input.ts';
import { type Admitting, admission } from './middleware/admission.ts';
import { type Authenticate, authenticate, callerOf, type FindSession } from './middleware/authenticate.ts';
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

/** An authenticated, authorized and validated request. */
export interface ApiRequest<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType | null = z.ZodType | null,
> extends Input<Params, Query, Body> {
  readonly caller: Omit<Caller, 'cursorSecret'>;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** Scheme and host of the API, without a trailing slash. */
  readonly baseUrl: string;
  /**
   * The requested page of a list. `after` is the position that the operation gave to `nextCursor`; cursors are signed, so
   * its type can be relied on.
   */
  page<Position = string>(): { limit: number; after: Position | null };
  /** `next_cursor` of a page; null stays null. */
  nextCursor(position: unknown): Promise<string | null>;
}

/** One of the responses of the contract, its body typed by its schema. */
export type ApiResponse<Responses extends Readonly<Record<number, ResponseSpec>>> = {
  [Status in keyof Responses & number]: {
    readonly status: Status;
    readonly body: Responses[Status]['body'] extends z.ZodType ? z.input<Responses[Status]['body']> : null;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof Responses & number];

/** Handler dependencies; tests may override them. */
export interface Dependencies extends Admitting {
  readonly findCaller: Authenticate;
  readonly findSession: FindSession;
  readonly openSecret: typeof openSigningSecret;
  readonly urls: () => PublicUrls;
}

const deployed: Dependencies = {
  findCaller,
  // Requests with keys do not load it.
  findSession: async (context) => (await import('./session-caller.ts')).findSessionCaller(context),
  recallCaller,
  ...createAdmission(),
  openSecret: openSigningSecret,
  urls: () => ({ apiBaseUrl: env().API_BASE_URL, docsUrl: env().DOCS_URL }),
};

/**
 * Builds the Lambda handler of an operation. The checks run in this order: key, scope, budget, media type, JSON, path, query,
 * body. `handle` returns one of the contract's responses or throws a Problem; any other error is logged and answered as
 * `internal_error`.
 */
export function serve<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType | null,
  Responses extends Readonly<Record<number, ResponseSpec>>,
>(
  contract: Contract<Params, Query, Body, Responses>,
  handle: (request: ApiRequest<Params, Query, Body>) => Promise<ApiResponse<NoInfer<Responses>>>,
  dependencies: Dependencies = deployed,
): LambdaHandler {
  const budget = admission(contract, dependencies);
  const pipeline = middy<RequestContext, GatewayResponse>(async (context: RequestContext) => {
    const input = readInput(contract, context);
    const { cursorSecret, ...caller } = callerOf(context);
    const secret = () => dependencies.openSecret(caller.workspaceId, 'cursor-secret', cursorSecret);
    const { headers, requestId, baseUrl } = context;
    const pages = await paging(contract.id, secret, input);
    const request = { ...input, ...pages, caller, headers, requestId, baseUrl };
    return toGatewayResponse(await handle(request));
  })
    .use(requestId())
    .use(responseHeaders())
    .use(problems(contract.id, dependencies.urls))
    .use(budget.begin)
    .use(authenticate(contract.id, dependencies.findCaller, dependencies.findSession))
    .use(scope(contract.scope))
    .use(budget.complete);
  return (event, context) => {
    const request = createRequestContext(event, dependencies.urls());
    return withMetrics(
      () => pipeline(request, context),
      () => request.requestId,
    );
  };
}

/** Verifies the cursor before the handler runs. */
async function paging(
  operation: string,
  secret: () => Promise<string>,
  input: { params: Record<string, unknown>; query: Record<string, unknown> },
) {
  const { limit, cursor, ...query } = input.query;
  const binding = async () => ({
    secret: await secret(),
    operation,
    filters: { ...input.params, ...query },
  });
  const after = typeof cursor === 'string' ? openCursor(await binding(), cursor) : null;
  return {
    page<Position>() {
      if (typeof limit !== 'number') throw new Error(`the query of ${operation} lacks pageQuery`);
      return { limit, after: after as Position | null };
    },
    nextCursor: async (position: unknown) =>
      position === null ? null : sealCursor(await binding(), position),
  };
}

function toGatewayResponse(response: {
  status: number;
  body: unknown;
  headers?: Readonly<Record<string, string>>;
}): GatewayResponse {
  if (response.body === null) return { statusCode: response.status, headers: { ...response.headers } };
  return {
    statusCode: response.status,
    headers: { ...response.headers, 'content-type': 'application/json' },
    body: JSON.stringify(response.body),
  };
}
