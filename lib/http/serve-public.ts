/** Makes a Lambda handler of a route that needs no key: the same headers and problem bodies, none of the checks. */
import middy from '@middy/core';
import { env } from '../env.ts';
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
  /** As it came, still percent-encoded. */
  readonly path: string;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string | undefined>>;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty where there is none. */
  readonly body: string;
  readonly requestId: string;
  /** Scheme and host that the API is reached at, without a slash at the end. */
  readonly baseUrl: string;
}

/** An answer that is more than the JSON of a 200. */
export interface PublicResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes go through the gateway in base64. */
  readonly body: string | Buffer;
}

/**
 * @param id names the function in logs
 * @param handle answers the JSON text of a 200 or a whole answer, or throws a Problem
 */
export function servePublic(
  id: string,
  handle: (request: PublicRequest) => string | PublicResponse | Promise<PublicResponse>,
  urls: () => PublicUrls = () => ({ apiBaseUrl: env().API_BASE_URL, docsUrl: env().DOCS_URL }),
): LambdaHandler {
  const pipeline = middy<RequestContext, GatewayResponse>(async (exchange: RequestContext) =>
    answer(await handle(requestOf(exchange))),
  )
    .use(requestId())
    .use(responseHeaders())
    .use(problems(id, urls));
  return (event, context) => pipeline(createRequestContext(event, urls()), context);
}

function requestOf({ event, headers, requestId, baseUrl }: RequestContext): PublicRequest {
  return {
    method: event.requestContext.http.method,
    path: event.rawPath,
    params: event.pathParameters ?? {},
    headers,
    body: Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8').toString(),
    requestId,
    baseUrl,
  };
}

function answer(given: string | PublicResponse): GatewayResponse {
  if (typeof given === 'string') {
    return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: given };
  }
  const { status: statusCode, headers, body } = given;
  if (typeof body === 'string') return { statusCode, headers: { ...headers }, body };
  return { statusCode, headers: { ...headers }, body: body.toString('base64'), isBase64Encoded: true };
}
