/** The HTTP server of one emulated mailbox provider: routes, injected faults, recorded calls. */
import type { FaultEntry, Faults } from '../aws/faults.ts';
import type { RecordedCall } from '../aws/recorder.ts';
import { type HttpRequest, type HttpResponse, type LocalServer, startHttp } from '../http-server.ts';
import { matchPattern } from '../route-patterns.ts';
import { type ProviderCall, Refusal } from './http.ts';

/** One call of a provider's API. */
export interface ProviderRoute {
  /** Name of the API in fault rules and recorded calls: `gmail`. */
  readonly service: string;
  /** Name of the call there: `messages.send`. */
  readonly action: string;
  /** @throws Refusal */
  readonly handle: (call: ProviderCall) => HttpResponse | Promise<HttpResponse>;
}

export type ProviderRoutes = Readonly<Record<string, ProviderRoute>>;

export interface ProviderServerOptions {
  /** 0: a free port. */
  readonly port: number;
  /** By method and path. */
  readonly routes: ProviderRoutes;
  readonly faults: Pick<Faults, 'consume'>;
  readonly now: () => number;
  /** The address of the account that a call is made for; empty: none. */
  readonly accountOf: (call: ProviderCall) => string;
  readonly notFound: (path: string) => HttpResponse;
  /** The response of a `throttle` or `error` rule in the form of the service. */
  readonly faultResponse: (fault: FaultEntry, service: string) => HttpResponse;
  readonly record?: ((call: RecordedCall) => void) | undefined;
  /** Seconds to wait where a quota is used up; null: the call is within it. */
  readonly throttledSeconds: (call: {
    readonly service: string;
    readonly action: string;
    readonly account: string;
  }) => number | null;
}

/** The largest request: a message of 150 MB is refused by its own limit (Microsoft Graph's is the larger one). */
const bodyBytesMax = 64 * 1024 * 1024;

/** Starts the server on 127.0.0.1. */
export function startProviderServer(options: ProviderServerOptions): Promise<LocalServer> {
  return startHttp(options.port, (request) => respond(request, options).catch(unreadable), {
    bodyBytesMax,
    headerBytesMax: 32_768,
    addedHeaders: () => ({}),
  });
}

/** A path that cannot be decoded. */
function unreadable(): HttpResponse {
  return {
    statusCode: 400,
    headers: { 'content-type': 'text/plain' },
    cookies: [],
    body: Buffer.from('Bad Request'),
  };
}

/** null: a fault broke the connection. */
async function respond(request: HttpRequest, options: ProviderServerOptions): Promise<HttpResponse | null> {
  const startedAt = performance.now();
  const at = options.now();
  const url = new URL(request.target, 'http://local');
  const found = matchPattern(options.routes, request.method, url.pathname);
  if (!found) return options.notFound(url.pathname);
  const { service, action } = found.route;
  const call: ProviderCall = {
    method: request.method,
    target: request.target,
    parameters: found.parameters,
    query: url.searchParams,
    headers: headersOf(request.rawHeaders),
    body: request.body,
  };
  const principal = options.accountOf(call);
  const fault =
    options.faults.consume({ service, principal, body: request.body }, action) ??
    quotaFault(options, service, action, principal);
  const response = await withFault(fault, () => handled(found.route, call), options, service);
  options.record?.({
    at,
    principal,
    service,
    action,
    resource: url.pathname,
    startedAt,
    ms: performance.now() - startedAt,
    status: response?.statusCode ?? 0,
  });
  return response;
}

/** A used-up quota answers as an injected `throttle` does. */
function quotaFault(
  { throttledSeconds }: ProviderServerOptions,
  service: string,
  action: string,
  account: string,
): FaultEntry | undefined {
  const seconds = account === '' ? null : throttledSeconds({ service, action, account });
  if (seconds === null) return undefined;
  return { id: 'quota', service, action, kind: 'throttle', times: 1, skip: 0, retryAfterSeconds: seconds };
}

/** A defect of the emulator is a 500 with its text, as in the gateway of the AWS services. */
async function handled(route: ProviderRoute, call: ProviderCall): Promise<HttpResponse> {
  try {
    return await route.handle(call);
  } catch (error) {
    if (error instanceof Refusal) return error.response;
    const text = `The emulated ${route.service} failed in ${route.action}: ${error instanceof Error ? error.stack : error}`;
    return {
      statusCode: 500,
      headers: { 'content-type': 'text/plain' },
      cookies: [],
      body: Buffer.from(text),
    };
  }
}

async function withFault(
  fault: FaultEntry | undefined,
  proceed: () => Promise<HttpResponse>,
  { faultResponse }: ProviderServerOptions,
  service: string,
): Promise<HttpResponse | null> {
  switch (fault?.kind) {
    case undefined:
      return await proceed();
    case 'throttle':
    case 'error':
      return faultResponse(fault, service);
    // The caller is not known by its function here: its connection breaks instead.
    case 'drop-before':
    case 'kill-before':
      return null;
    case 'timeout-after':
    case 'kill-after':
      await proceed();
      return null;
  }
}

function headersOf(rawHeaders: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers[(rawHeaders[index] ?? '').toLowerCase()] = rawHeaders[index + 1] ?? '';
  }
  return headers;
}
