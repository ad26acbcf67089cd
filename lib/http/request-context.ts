/** One request on its way through the layers: the gateway's event, and what the layers have found out about it. */
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Caller } from '../storage/api-keys.ts';

export type GatewayEvent = APIGatewayProxyEventV2;
export type GatewayResponse = APIGatewayProxyStructuredResultV2;
export type LambdaHandler = (event: GatewayEvent, context: Context) => Promise<GatewayResponse>;

/** Addresses that the deployment is known by; empty: the one that the request came to. */
export interface PublicUrls {
  readonly apiBaseUrl: string;
  readonly docsUrl: string;
}

export interface RequestContext {
  readonly event: GatewayEvent;
  /** Lower-case names; repeated headers joined by commas, as the gateway does it. */
  readonly headers: Readonly<Record<string, string>>;
  /** Scheme and host of the API, without a path and without a slash at the end. */
  readonly baseUrl: string;
  /** Set by the request-id layer. */
  requestId: string;
  /** Set by the authenticate layer. */
  caller: Caller | null;
  /** Set by the JSON layer; undefined: there was no body. */
  json: unknown;
}

/** A layer of the onion. It answers by throwing a Problem, never by returning. */
export type Middleware = MiddlewareObj<RequestContext, GatewayResponse, Error, Context>;

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
