/** Opens live connections with their tickets, answers what clients send, and forgets those that end. */
import type { APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { postToConnection } from '../../lib/adapters/connections.ts';
import { Problem } from '../../lib/core/problems.ts';
import { env } from '../../lib/env.ts';
import { problemFrame, readLiveRequest } from '../../lib/http/live-requests.ts';
import { withMetrics } from '../../lib/observability/count.ts';
import { describeError, logEvent } from '../../lib/observability/log.ts';
import { createAdmission } from '../../lib/services/admission/admit-request.ts';
import { answerClient } from '../../lib/services/live/answer-client.ts';
import { connect, disconnect } from '../../lib/services/live/tickets.ts';

/** The event of `$connect` also has what the handshake sent ("Manage connected users and client apps: $connect and $disconnect routes"). */
type SocketEvent = APIGatewayProxyWebsocketEventV2 & {
  readonly requestContext: { readonly identity?: { readonly sourceIp?: string } };
};

const { admit } = createAdmission();

/** The status of `$connect` is that of the handshake; all others are not sent. */
export async function handler(event: SocketEvent): Promise<{ readonly statusCode: number }> {
  return await withMetrics(async () => ({ statusCode: await statusOf(event) }));
}

async function statusOf(event: SocketEvent): Promise<number> {
  // A client may name `$disconnect` as its action, which selects the route.
  const { connectionId, eventType, identity } = event.requestContext;
  switch (eventType) {
    case 'CONNECT':
      return await connect(event.queryStringParameters?.ticket ?? '', connectionId, identity?.sourceIp ?? '');
    case 'DISCONNECT':
      await disconnect(connectionId);
      return 200;
    default:
      return await answer(event, connectionId);
  }
}

async function answer({ requestContext: { requestId }, body }: SocketEvent, connectionId: string) {
  try {
    await answerClient(connectionId, { admit, read: () => readLiveRequest(body) });
  } catch (error) {
    if (!(error instanceof Problem)) {
      logEvent('live.message_failed', { request_id: requestId, error: describeError(error) });
    }
    const problem =
      error instanceof Problem ? error : new Problem('internal_error', 'The message was not processed.');
    await postToConnection(connectionId, problemFrame(problem, { requestId, docsUrl: env().DOCS_URL }));
  }
  return 200;
}
