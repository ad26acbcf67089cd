/** `POST /mcp`: tools for agents, over the operations of the API. */
import { createHttpServer } from '../../clients/mcp/src/http.ts';
import { callsOf } from '../../lib/http/mcp/call-operation.ts';
import { type PublicRequest, servePublic } from '../../lib/http/serve-public.ts';
import { describeError, logEvent } from '../../lib/observability/log.ts';

const id = 'mcp';
const ownName = process.env.AWS_LAMBDA_FUNCTION_NAME ?? id;
const functionPrefix = ownName.slice(0, -id.length);

/** A gateway request ends after 30 seconds; one attempt and its repetition have to fit. */
const timeouts = { timeoutMs: 12_000, maxRetries: 1 };
/** Files of a call are at most 2 MB, in base64 2.8 MB; Lambda takes 6 MB ("Lambda quotas"). */
const bodyBytesMax = 4 * 1024 * 1024;

async function answer(given: PublicRequest) {
  const { method, path, headers, body, baseUrl, requestId } = given;
  const { origin } = new URL(baseUrl);
  const serve = createHttpServer({
    clientFor: () => ({ baseUrl: origin, fetch: callsOf(given, { functionPrefix }), ...timeouts }),
    origins: () => [origin],
    bodyBytesMax,
    onFault: (error) =>
      logEvent('api.internal_error', { operation: id, request_id: requestId, error: describeError(error) }),
  });
  const request = new Request(`${origin}${path}`, {
    method,
    headers: Object.entries(headers),
    ...(method === 'POST' && { body }),
  });
  const response = await serve(request);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
}

export const handler = servePublic(id, answer);
