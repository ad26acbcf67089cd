/** API Gateway's HTTP API: route matching, Lambda proxy integration, the gateway's own error responses. */
import { type Rate, refillMs, waitMs } from '../core/access/rate-bucket.ts';
import { apiEvent } from './api-event.ts';
import { InvocationFailed } from './function-thread.ts';
import { throttled } from './functions.ts';
import { bodyBytesMax, type HttpRequest, type HttpResponse } from './http-server.ts';

export interface Route {
  /** `*` for any. */
  readonly method: string;
  /** Path with `{parameters}`; null: `$default`. */
  readonly path: string | null;
  readonly functionArn: string;
  /** Role that API Gateway assumes for the integration; null: the function's permissions apply. */
  readonly credentialsArn: string | null;
}

export interface ApiOptions {
  readonly routes: readonly Route[];
  /** @param onStart called when the function runs, where that is later: invocations wait for threads */
  readonly invoke: (functionArn: string, event: unknown, call: { onStart: () => void }) => Promise<unknown>;
  readonly now: () => number;
  /** Takes a request from the bucket of the stage; false where it is empty. */
  readonly admits?: () => boolean;
  /** Whether API Gateway may invoke the function of a route. */
  readonly mayInvoke: (route: Route) => boolean;
  /** Returns the response to send instead of a function's response. */
  readonly reviewResponse?: (route: Route, answer: HttpResponse) => HttpResponse;
}

/** Integration timeout (API Gateway, "Quotas for configuring and running an HTTP API"). */
const integrationMsMax = 30_000;

/** Invokes the function of the matching route and returns its response; never throws. */
export async function handleRequest(request: HttpRequest, options: ApiOptions): Promise<HttpResponse> {
  if (options.admits?.() === false) return gatewayResponse(429, 'Too Many Requests');
  if (request.body.length > bodyBytesMax) return gatewayResponse(413, 'Request Entity Too Large');
  const { route, parameters } = matchRoute(
    options.routes,
    request.method,
    request.target.split('?')[0] ?? '',
  );
  if (!options.mayInvoke(route)) return gatewayResponse(500, 'Internal Server Error');
  const event = apiEvent(request, { routeKey: routeKeyOf(route), parameters, nowMs: options.now() });
  try {
    const result = await withTimeout((onStart) => options.invoke(route.functionArn, event, { onStart }));
    if (result === timedOut) return gatewayResponse(503, 'Service Unavailable');
    const response = responseOf(result);
    return options.reviewResponse?.(route, response) ?? response;
  } catch (error) {
    const errorType = error instanceof InvocationFailed ? error.errorType : null;
    if (errorType === 'RequestEntityTooLargeException')
      return gatewayResponse(413, 'Request Entity Too Large');
    if (errorType === throttled) return gatewayResponse(503, 'Service Unavailable');
    return gatewayResponse(500, 'Internal Server Error');
  }
}

function routeKeyOf(route: Route): string {
  return route.path === null ? '$default' : `${route.method === '*' ? 'ANY' : route.method} ${route.path}`;
}

const timedOut = Symbol('too late');

/** The result, or `timedOut`. The time begins with the function: Lambda lets no request wait for another one to end. */
function withTimeout(invoke: (onStart: () => void) => Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const limit = Promise.withResolvers<unknown>();
  const invocation = invoke(() => {
    timer = setTimeout(limit.resolve, integrationMsMax, timedOut);
  });
  return Promise.race([invocation, limit.promise]).finally(() => clearTimeout(timer));
}

/**
 * The token bucket of a stage ("Throttle requests to your HTTP APIs for better throughput in API Gateway").
 *
 * @returns whether a request is taken from it
 */
export function stageBucket(rate: Rate, now: () => number): () => boolean {
  let fullAt = 0;
  return () => {
    const at = now();
    if (waitMs(rate, fullAt, 1, at) > 0) return false;
    fullAt = Math.max(fullAt, at) + refillMs(rate, 1);
    return true;
  };
}

/** The matching route with its decoded parameters: full match with the fewest parameters, then greedy ones, then `$default` ("Create routes
 * for HTTP APIs in API Gateway"). */
export function matchRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): { route: Route; parameters: Record<string, string> } {
  const segments = path.split('/');
  const found = routes
    .filter((route) => route.path !== null && (route.method === method || route.method === '*'))
    .map((route) => ({ route, parameters: parametersOf(route.path ?? '', segments) }))
    .filter(
      (match): match is { route: Route; parameters: Record<string, string> } => match.parameters !== null,
    )
    .sort((a, b) => rankOf(a) - rankOf(b))[0];
  if (found) return found;
  const fallback = routes.find((route) => route.path === null);
  if (!fallback) throw new Error('the API has no $default route');
  return { route: fallback, parameters: {} };
}

function rankOf({ route, parameters }: { route: Route; parameters: Record<string, string> }): number {
  return Object.keys(parameters).length + (route.path?.endsWith('+}') ? 100 : 0);
}

function parametersOf(pattern: string, segments: readonly string[]): Record<string, string> | null {
  const parts = pattern.split('/');
  const rest = /^\{(\w+)\+\}$/.exec(parts.at(-1) ?? '')?.[1];
  if (rest !== undefined) return withRest(rest, parts, segments);
  if (parts.length !== segments.length) return null;
  const parameters: Record<string, string> = {};
  for (const [at, part] of parts.entries()) {
    const segment = segments[at] ?? '';
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== segment : segment === '') return null;
    if (name !== undefined) parameters[name] = decodeSegment(segment);
  }
  return parameters;
}

/** The parameters of a greedy pattern, whose last one takes one segment or more. */
function withRest(name: string, parts: readonly string[], segments: readonly string[]) {
  const at = parts.length - 1;
  const before = parametersOf(parts.slice(0, at).join('/'), segments.slice(0, at));
  const rest = segments.slice(at).map(decodeSegment).join('/');
  return before && rest !== '' ? { ...before, [name]: rest } : null;
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface FunctionResult {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string | number | boolean>>;
  readonly cookies?: readonly string[];
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

/** The response of a function's result. A result without `statusCode` is the body of a 200 (payload format 2.0). */
function responseOf(result: unknown): HttpResponse {
  const proxy = result as FunctionResult | null;
  if (proxy === null || typeof proxy !== 'object' || proxy.statusCode === undefined) {
    const body = typeof result === 'string' ? result : JSON.stringify(result ?? null);
    return {
      statusCode: 200,
      headers: { 'content-type': 'application/json' },
      cookies: [],
      body: Buffer.from(body),
    };
  }
  const headers = Object.entries(proxy.headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    String(value),
  ]);
  return {
    statusCode: proxy.statusCode,
    // API Gateway's default content type.
    headers: {
      ...(proxy.body && { 'content-type': 'text/plain;charset=UTF-8' }),
      ...Object.fromEntries(headers),
    },
    cookies: proxy.cookies ?? [],
    body: Buffer.from(proxy.body ?? '', proxy.isBase64Encoded ? 'base64' : 'utf8'),
  };
}

function gatewayResponse(statusCode: number, message: string): HttpResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json' },
    cookies: [],
    body: Buffer.from(JSON.stringify({ message })),
  };
}
