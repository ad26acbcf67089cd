/** The connections of the WebSocket API, and the `@connections` commands of the Amazon API Gateway Management API. */
import type { WebSocket } from 'ws';
import { jsonError, jsonResponse, unsupported } from './json-protocol.ts';
import { type AwsCall, AwsError, type AwsService, localAccount } from './service.ts';

/** An open connection. */
export interface OpenConnection {
  readonly socket: WebSocket;
  readonly apiId: string;
  readonly stage: string;
  readonly sourceIp: string;
  readonly userAgent: string;
  /** Unix milliseconds. */
  readonly connectedAt: number;
  /** Puts the end of an idle connection off. */
  noteActivity(): void;
}

/** By connection id. */
export type OpenConnections = Map<string, OpenConnection>;

/** "Quotas for configuring and running a WebSocket in API Gateway". */
const payloadBytesMax = 128 * 1024;
/** What a client may leave unread. API Gateway publishes no figure. */
const unreadBytesMax = 1024 * 1024;

const actions = { POST: 'PostToConnection', GET: 'GetConnection', DELETE: 'DeleteConnection' } as const;

function methodOf({ method, path }: AwsCall): keyof typeof actions {
  return method === 'POST' || method === 'GET' || method === 'DELETE'
    ? method
    : unsupported('execute-api', `${method} ${path}`);
}

/** Where a function finds the emulator, the stage is not in the path ("AWS_ENDPOINT_URL"). */
function connectionIdOf({ path }: AwsCall): string {
  const id = /^(?:\/[^/]+)?\/@connections\/(.+)$/.exec(path)?.[1];
  return id ?? unsupported('execute-api', path);
}

/** Errors that have no members in the model of the API. */
const withoutMessage = new Set(['GoneException', 'LimitExceededException']);

/** @param stage of the API whose connections are not open any more: its resource has no other name */
export function createConnectionsService(
  connections: OpenConnections,
  closed: { readonly apiId: string; readonly stage: string },
): AwsService {
  return {
    name: 'execute-api',
    action: (call) => actions[methodOf(call)],
    permissions(call) {
      const id = connectionIdOf(call);
      const { apiId, stage } = connections.get(id) ?? closed;
      const resource = `${apiId}/${stage}/${methodOf(call)}/@connections/${id}`;
      return [
        {
          action: 'execute-api:ManageConnections',
          resource: `arn:aws:execute-api:${call.region}:${localAccount}:${resource}`,
        },
      ];
    },
    errorResponse: (error) =>
      withoutMessage.has(error.code) ? { ...jsonError(error), body: '{}' } : jsonError(error),
    async handle(call) {
      const connection = connections.get(connectionIdOf(call));
      if (call.method === 'POST' && call.body.length > payloadBytesMax) {
        throw new AwsError(
          'PayloadTooLargeException',
          'The data has exceeded the maximum size allowed.',
          413,
        );
      }
      if (!connection) throw new AwsError('GoneException', 'The connection is gone.', 410);
      return await carryOut(methodOf(call), connection, call.body);
    },
  };
}

async function carryOut(method: keyof typeof actions, connection: OpenConnection, data: Buffer) {
  const { socket, sourceIp, userAgent, connectedAt } = connection;
  switch (method) {
    case 'POST':
      if (socket.bufferedAmount > unreadBytesMax) {
        throw new AwsError('LimitExceededException', 'The client takes no more data for now.', 429);
      }
      connection.noteActivity();
      socket.send(data, { binary: false });
      return { status: 200 };
    case 'DELETE':
      socket.close(1000);
      return { status: 204 };
    case 'GET':
      return jsonResponse({
        connectedAt: new Date(connectedAt).toISOString(),
        identity: { sourceIp, userAgent },
        lastActiveAt: new Date(connectedAt).toISOString(),
      });
  }
}
