/** Connections of the WebSocket API: messages to clients, and their end. */
import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GoneException,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { env } from '../env.ts';
import { describeError, logEvent } from '../observability/log.ts';
import { clientConfig } from './aws-clients.ts';

let shared: ApiGatewayManagementApiClient | undefined;
const client = (): ApiGatewayManagementApiClient => {
  const endpoint = env().LIVE_URL.replace(/^ws/, 'http');
  // One attempt: a repeated call may send a message twice, and what was not taken is sent again by a message of ours.
  shared ??= new ApiGatewayManagementApiClient({ endpoint, ...clientConfig({ maxAttempts: 1 }) });
  return shared;
};

/**
 * What became of a message. `busy`: the connection takes no more for now, or it is not known ("LimitExceededException" in the Amazon API
 * Gateway Management API: the buffer of the client is full, or the account calls too often).
 */
export type Posted = 'posted' | 'gone' | 'busy';

/** Sends a message to a client. @param text at most 128 KB */
export async function postToConnection(connectionId: string, text: string): Promise<Posted> {
  try {
    await client().send(new PostToConnectionCommand({ ConnectionId: connectionId, Data: Buffer.from(text) }));
    return 'posted';
  } catch (error) {
    if (error instanceof GoneException) return 'gone';
    logEvent('live.not_posted', { error: describeError(error) });
    return 'busy';
  }
}

/** Ends a connection; one that has ended is no error. A failure is logged: API Gateway ends it within two hours. */
export async function endConnection(connectionId: string): Promise<void> {
  try {
    await client().send(new DeleteConnectionCommand({ ConnectionId: connectionId }));
  } catch (error) {
    if (!(error instanceof GoneException)) logEvent('live.not_ended', { error: describeError(error) });
  }
}
