/** API Gateway's HTTP API, locally: routes of the API's body, events of payload format 2.0, and the gateway's own answers. */
import { apiEvent } from './api-event.ts';
import { bodyBytesMax, type HttpRequest, type HttpResponse } from './http-server.ts';

export interface Route {
  /** `*` for any. */
  readonly method: string;
  /** With parameters in braces; null: `$default`. */
  readonly path: string | null;
  readonly functionArn: string;
}

export interface ApiOptions {
  readonly routes: readonly Route[];
  readonly invoke: (functionArn: string, event: unknown) => Promise<unknown>;
  readonly now: () => number;
  /** Looks at an answer before it goes out, and may replace it. */
  readonly review?: (route: Route, answer: HttpResponse) => HttpResponse;
}

/** Longest that an HTTP API waits for a function (API Gateway quotas). */
const integrationMsMax = 30_000;

/** Answers one request: route, event, function, answer. */
export async function answerRequest(request: HttpRequest, options: ApiOptions): Promise<HttpResponse> {
  if (request.body.length > bodyBytesMax) return gatewayAnswer(413, 'Request Entity Too Large');
  const { route, parameters } = matchRoute(
    options.routes,
    request.method,
    request.target.split('?')[0] ?? '',
  );
  const event = apiEvent(request, { routeKey: routeKeyOf(route), parameters, nowMs: options.now() });
  try {
    const result = await withinLimit(options.invoke(route.functionArn, event));
    if (result === tooLate) return gatewayAnswer(503, 'Service Unavailable');
    const answer = answerOf(result);
    return options.review?.(route, answer) ?? answer;
  } catch (error) {
    if ((error as { errorType?: string }).errorType === 'RequestEntityTooLargeException') {
      return gatewayAnswer(413, 'Request Entity Too Large');
    }
    return gatewayAnswer(500, 'Internal Server Error');
  }
}

function routeKeyOf(route: Route): string {
  return route.path === null ? '$default' : `${route.method === '*' ? 'ANY' : route.method} ${route.path}`;
}

const tooLate = Symbol('too late');

function withinLimit(invocation: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, integrationMsMax, tooLate);
  });
  return Promise.race([invocation, limit]).finally(() => clearTimeout(timer));
}

/** The route that takes a request, a full match before parameters before `$default`, and its parameters, decoded. */
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
    .sort((a, b) => Object.keys(a.parameters).length - Object.keys(b.parameters).length)[0];
  if (found) return found;
  const fallback = routes.find((route) => route.path === null);
  if (!fallback) throw new Error('the API has no $default route');
  return { route: fallback, parameters: {} };
}

function parametersOf(pattern: string, segments: readonly string[]): Record<string, string> | null {
  const parts = pattern.split('/');
  if (parts.length !== segments.length) return null;
  const parameters: Record<string, string> = {};
  for (const [at, part] of parts.entries()) {
    const segment = segments[at] ?? '';
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== segment : segment === '') return null;
    if (name !== undefined) parameters[name] = decoded(segment);
  }
  return parameters;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface FunctionAnswer {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string | number | boolean>>;
  readonly cookies?: readonly string[];
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

/** A result without `statusCode` is the body of a 200 (payload format 2.0). */
function answerOf(result: unknown): HttpResponse {
  const answer = result as FunctionAnswer | null;
  if (answer === null || typeof answer !== 'object' || answer.statusCode === undefined) {
    const body = typeof result === 'string' ? result : JSON.stringify(result ?? null);
    return {
      statusCode: 200,
      headers: { 'content-type': 'application/json' },
      cookies: [],
      body: Buffer.from(body),
    };
  }
  const headers = Object.entries(answer.headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    String(value),
  ]);
  return {
    statusCode: answer.statusCode,
    // What API Gateway adds where the function names no type.
    headers: {
      ...(answer.body && { 'content-type': 'text/plain;charset=UTF-8' }),
      ...Object.fromEntries(headers),
    },
    cookies: answer.cookies ?? [],
    body: Buffer.from(answer.body ?? '', answer.isBase64Encoded ? 'base64' : 'utf8'),
  };
}

function gatewayAnswer(statusCode: number, message: string): HttpResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json' },
    cookies: [],
    body: Buffer.from(JSON.stringify({ message })),
  };
}
