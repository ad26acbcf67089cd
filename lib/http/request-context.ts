/** The state of a request in the middleware pipeline. */
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Caller } from '../core/access/api-key.ts';
import type { BudgetFigures } from '../core/access/request-budget.ts';

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
  /** What is left of the request budget. Set by `admission`; null: the response does not show it. */
  budget: BudgetFigures | null;
}

/** A middy middleware. It ends a request by throwing a Problem. */
export type Middleware = MiddlewareObj<RequestContext, GatewayResponse, Error, Context>;

/**
 * The URL of the API as deployed. The domain name comes from API Gateway ("Create AWS Lambda proxy integrations for HTTP
 * APIs"): `Host` is the client's, and the URL is written into mail. The local run has a port and no TLS.
 */
function baseUrlOf({ requestContext: { domainName } }: GatewayEvent, host: string | undefined): string {
  if (domainName !== '127.0.0.1' && domainName !== 'localhost') return `https://${domainName}`;
  const port = /:(\d{1,5})$/.exec(host ?? '')?.[1];
  return `http://${domainName}${port ? `:${port}` : ''}`;
}

/** The context at the start of the pipeline. */
export function createRequestContext(event: GatewayEvent, urls: PublicUrls): RequestContext {
  const headers = Object.fromEntries(
    Object.entries(event.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), value]],
    ),
  );
  const baseUrl = urls.apiBaseUrl.replace(/\/+$/, '') || baseUrlOf(event, headers.host);
  return { event, headers, baseUrl, requestId: '', caller: null, budget: null };
}
