/** Lambda handlers of routes without authentication; headers and problem bodies are those of the API. */
import middy from '@middy/core';
import { env } from '../env.ts';
import { withMetrics } from '../observability/count.ts';
import { readJson } from './body.ts';
import { problems } from './middleware/problems.ts';
import { requestId } from './middleware/request-id.ts';
import { responseHeaders } from './middleware/response-headers.ts';
import {
  createRequestContext,
  type GatewayResponse,
  type LambdaHandler,
  type PublicUrls,
  type RequestContext,
} from './request-context.ts';

export interface PublicRequest {
  readonly method: string;
  /** Percent-encoded. */
  readonly path: string;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty when the request has none. */
  readonly body: string;
  /** The JSON of the body; undefined where there is none. @throws Problem as `readJson` */
  json(): unknown;
  /** `name=value` each. */
  readonly cookies: readonly string[];
  readonly requestId: string;
  /** Scheme and host of the API, without a trailing slash. */
  readonly baseUrl: string;
  /** Address of the client, as API Gateway sees it. */
  readonly sourceIp: string;
}

/** Any response but a 200 with JSON. */
export interface PublicResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/**
 * Builds the handler.
 *
 * @param id names the function in logs
 * @param handle returns the JSON text of a 200 or a whole response, or throws a Problem
 */
export function servePublic(
  id: string,
  handle: (request: PublicRequest) => string | PublicResponse | Promise<string | PublicResponse>,
  urls: () => PublicUrls = () => ({ apiBaseUrl: env().API_BASE_URL, docsUrl: env().DOCS_URL }),
): LambdaHandler {
  const pipeline = middy<RequestContext, GatewayResponse>(async (context: RequestContext) => {
    const request = requestOf(context);
    const response = toGatewayResponse(await handle(request));
    return request.method === 'HEAD' ? withoutBody(response) : response;
  })
    .use(requestId())
    .use(responseHeaders())
    .use(problems(id, urls));
  return (event, context) => withMetrics(() => pipeline(createRequestContext(event, urls()), context));
}

function requestOf(context: RequestContext): PublicRequest {
  const { event, headers, requestId, baseUrl } = context;
  return {
    method: event.requestContext.http.method,
    path: event.rawPath,
    params: event.pathParameters ?? {},
    query: new URLSearchParams(event.rawQueryString),
    headers,
    body: Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8').toString(),
    json: () => readJson(context),
    cookies: event.cookies ?? [],
    requestId,
    baseUrl,
    sourceIp: event.requestContext.http.sourceIp,
  };
}

function toGatewayResponse(response: string | PublicResponse): GatewayResponse {
  if (typeof response === 'string') {
    return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: response };
  }
  const { status: statusCode, headers, body } = response;
  if (typeof body === 'string') return { statusCode, headers: { ...headers }, body };
  return { statusCode, headers: { ...headers }, body: body.toString('base64'), isBase64Encoded: true };
}

/** The response to HEAD: the headers of GET, with the length that its body has (RFC 9110, section 9.3.2). */
function withoutBody({ body = '', isBase64Encoded, ...response }: GatewayResponse): GatewayResponse {
  const length = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
  return { ...response, headers: { ...response.headers, 'content-length': String(length) } };
}
