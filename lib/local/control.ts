/** The HTTP handler of the control routes (`/_control`): matches a route, parses its body, encodes its result as JSON. */
import * as z from 'zod';
import {
  ControlError,
  ControlResponse,
  type ControlRoute,
  type ControlRoutes,
  fail,
} from './control-route.ts';
import type { HttpRequest, HttpResponse } from './http-server.ts';
import { headersOf, refusalOf } from './local-requests.ts';
import { matchPattern } from './route-patterns.ts';

/** Path prefix of the control routes on the API's port. */
export const controlPrefix = '/_control';

export interface Control {
  /** Whether a request target (path and query) belongs to the control routes. */
  owns(target: string): boolean;
  /** Never throws: errors become JSON responses with `error`. */
  handle(request: HttpRequest): Promise<HttpResponse>;
}

/** The control routes of one cloud. */
export function createControl(routes: ControlRoutes): Control {
  const help = Object.entries(routes).map(([route, { summary }]) => `${route}  ${summary}`);
  return {
    owns: (target) => target === controlPrefix || /^\/_control[/?]/.test(target),
    async handle(request) {
      const url = new URL(request.target, 'http://local');
      const path = url.pathname.slice(controlPrefix.length).replace(/\/$/, '') || '/';
      const refusal = refusalOf(request);
      if (refusal !== null) return json(403, { error: refusal });
      if (path === '/') return json(200, { routes: help });
      try {
        const { route, parameters } = matchControlRoute(routes, request.method, path);
        const result = await route.handle({
          parameters,
          query: url.searchParams,
          headers: headersOf(request),
          rawBody: request.body,
          body: (schema) => parseBody(schema, request.body),
        });
        if (typeof result === 'string') return text(result);
        if (result instanceof ControlResponse) return { ...result, cookies: [] };
        return result === undefined ? json(204, null) : json(200, result);
      } catch (error) {
        const status = error instanceof ControlError ? error.status : 500;
        return json(status, { error: error instanceof Error ? error.message : String(error) });
      }
    },
  };
}

function matchControlRoute(
  routes: Readonly<Record<string, ControlRoute>>,
  method: string,
  path: string,
): { route: ControlRoute; parameters: Record<string, string> } {
  return (
    matchPattern(routes, method, path) ??
    fail(404, `no control route ${method} ${path}; GET ${controlPrefix} lists them`)
  );
}

function parseBody<S extends z.ZodType>(schema: S, body: Buffer): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    return fail(400, 'the body is not JSON');
  }
  const result = schema.safeParse(value);
  return result.success ? result.data : fail(422, z.prettifyError(result.error));
}

function text(body: string): HttpResponse {
  return { statusCode: 200, headers: { 'content-type': 'text/plain' }, cookies: [], body: Buffer.from(body) };
}

function json(statusCode: number, body: unknown): HttpResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json' },
    cookies: [],
    body: Buffer.from(body === null ? '' : `${JSON.stringify(body, null, 2)}\n`),
  };
}
