/**
 * Calls operations of the API as its gateway does: with the key, the address and the request id of the caller, so that scope,
 * allowed addresses and budget are those of a request of his own. docs/decisions/0072-tools-for-agents.md
 */

import { now } from '../../adapters/clock.ts';
import { fetchFile, invokeFunction } from '../../adapters/functions.ts';
import type { GatewayEvent, GatewayResponse } from '../request-context.ts';
import type { PublicRequest } from '../serve-public.ts';
import { calledOperation } from './called-operations.ts';

export interface OperationCalls {
  /** Of the functions of the API before their id. */
  readonly functionPrefix: string;
  readonly invoke?: typeof invokeFunction;
}

type Caller = Pick<PublicRequest, 'baseUrl' | 'requestId' | 'sourceIp'>;

/** A `fetch` for operations of the API; other addresses are those of the file store. */
export function callsOf(caller: Caller, { functionPrefix, invoke = invokeFunction }: OperationCalls) {
  return async (url: string, init: RequestInit): Promise<Response> => {
    if (new URL(url).origin !== new URL(caller.baseUrl).origin) return await fetchFile(url, init);
    const { pathname, search } = new URL(url);
    const found = calledOperation(init.method ?? 'GET', pathname);
    if (!found) throw new Error(`the role does not call ${init.method} ${pathname}`);
    const { operation, params } = found;
    const event = eventOf(caller, {
      pathname,
      search,
      params,
      init,
      routeKey: `${operation.method} ${operation.path}`,
    });
    const name = functionPrefix + operation.id.replaceAll('.', '-');
    const answer = await invoke(name, event, init.signal ?? undefined);
    if (answer === 'throttled') return gatewayError(429, 'Too Many Requests', { 'retry-after': '1' });
    return answer === 'failed'
      ? gatewayError(500, 'Internal Server Error')
      : responseOf(answer as GatewayResponse);
  };
}

interface Sent {
  readonly pathname: string;
  readonly search: string;
  readonly params: Record<string, string>;
  readonly init: RequestInit;
  readonly routeKey: string;
}

/** What API Gateway would send ("Create AWS Lambda proxy integrations for HTTP APIs", payload format 2.0). */
function eventOf(
  { baseUrl, requestId, sourceIp }: Caller,
  { pathname, search, params, init, routeKey }: Sent,
): GatewayEvent {
  const { host, hostname } = new URL(baseUrl);
  const headers = Object.fromEntries(new Headers(init.headers as Record<string, string>));
  const method = init.method ?? 'GET';
  const nowMs = now();
  return {
    version: '2.0',
    routeKey,
    rawPath: pathname,
    rawQueryString: search.slice(1),
    headers: { ...headers, host, 'x-request-id': requestId, 'x-forwarded-for': sourceIp },
    pathParameters: params,
    requestContext: {
      accountId: '',
      apiId: '',
      domainName: hostname,
      domainPrefix: '',
      http: {
        method,
        path: pathname,
        protocol: 'HTTP/1.1',
        sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey,
      stage: '$default',
      time: new Date(nowMs).toUTCString(),
      timeEpoch: nowMs,
    },
    ...(typeof init.body === 'string' && { body: init.body }),
    isBase64Encoded: false,
  };
}

function responseOf({ statusCode = 200, headers = {}, body, isBase64Encoded }: GatewayResponse): Response {
  const bytes =
    body === undefined || body === '' ? null : isBase64Encoded ? Buffer.from(body, 'base64') : body;
  const given = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Response(bytes, { status: statusCode, headers: given });
}

/** What the gateway answers itself. */
const gatewayError = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ message }, { status, headers });
