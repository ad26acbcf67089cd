/** The state of a request in the middleware pipeline. */
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Caller } from '../core/api-key.ts';

export type GatewayEvent = APIGatewayProxyEventV2;
export type GatewayResponse = APIGatewayProxyStructuredResultV2;
export type LambdaHandler = (event: GatewayEvent, context: Context) => Promise<GatewayResponse>;

/** Public URLs of the deployment; empty: derived from the request. */
export interface PublicUrls {
  readonly apiBaseUrl: string;
  readonly docsUrl: string;
}

export interface RequestContext {
  readonly event: GatewayEvent;
  /** Lower-case names; API Gateway joins repeated headers with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Scheme and host of the API, without a path or trailing slash. */
  readonly baseUrl: string;
  /** Set by `requestId`. */
  requestId: string;
  /** Set by `authenticate`. */
  caller: Caller | null;
  /** Set by `json`; undefined: the request has no body. */
  json: unknown;
}

/** A middy middleware. It ends a request by throwing a Problem. */
export type Middleware = MiddlewareObj<RequestContext, GatewayResponse, Error, Context>;

/** The context at the start of the pipeline. */
export function createRequestContext(event: GatewayEvent, urls: PublicUrls): RequestContext {
  const headers = Object.fromEntries(
    Object.entries(event.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), value]],
    ),
  );
  const scheme = headers['x-forwarded-proto'] === 'http' ? 'http' : 'https';
  const host = headers.host ?? event.requestContext.domainName;
  const baseUrl = urls.apiBaseUrl.replace(/\/+$/, '') || `${scheme}://${host}`;
  return { event, headers, baseUrl, requestId: '', caller: null, json: undefined };
}
