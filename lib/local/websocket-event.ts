/** Builds the Lambda events of a WebSocket API ("Create WebSocket APIs in API Gateway", Lambda proxy integrations). */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A connection, as its events describe it. */
export interface SocketCall {
  readonly apiId: string;
  readonly stage: string;
  readonly connectionId: string;
  /** Unix milliseconds. */
  readonly connectedAt: number;
  readonly sourceIp: string;
  readonly userAgent: string;
}

export type SocketHappening = { readonly nowMs: number } & (
  | { readonly kind: 'connect'; readonly request: IncomingMessage }
  | { readonly kind: 'message'; readonly route: string; readonly body: string; readonly isBinary: boolean }
  | { readonly kind: 'disconnect'; readonly code: number; readonly reason: string }
);

/** The event of a happening on a connection. */
export function socketEvent(call: SocketCall, happening: SocketHappening): object {
  const { nowMs } = happening;
  const requestId = randomUUID();
  const context = {
    messageDirection: 'IN',
    stage: call.stage,
    connectedAt: Math.trunc(call.connectedAt),
    requestTimeEpoch: Math.trunc(nowMs),
    identity: { userAgent: call.userAgent, sourceIp: call.sourceIp },
    requestId,
    extendedRequestId: requestId,
    domainName: '127.0.0.1',
    connectionId: call.connectionId,
    apiId: call.apiId,
  };
  switch (happening.kind) {
    case 'connect':
      return {
        ...handshakeOf(happening.request),
        requestContext: { routeKey: '$connect', eventType: 'CONNECT', ...context },
        isBase64Encoded: false,
      };
    case 'message':
      return {
        requestContext: {
          routeKey: happening.route,
          messageId: randomUUID(),
          eventType: 'MESSAGE',
          ...context,
        },
        body: happening.body,
        isBase64Encoded: happening.isBinary,
      };
    case 'disconnect':
      return {
        requestContext: {
          routeKey: '$disconnect',
          disconnectStatusCode: happening.code,
          disconnectReason: happening.reason,
          eventType: 'DISCONNECT',
          ...context,
        },
        isBase64Encoded: false,
      };
  }
}

/** Headers and query of the handshake: the last value of each, and all of them. */
function handshakeOf(request: IncomingMessage) {
  const headers = request.headersDistinct;
  const { searchParams } = new URL(request.url ?? '/', 'http://local');
  const query = Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]),
  );
  return {
    headers: lastOf(headers),
    multiValueHeaders: headers,
    ...(searchParams.size > 0 && {
      queryStringParameters: lastOf(query),
      multiValueQueryStringParameters: query,
    }),
  };
}

const lastOf = (values: Readonly<Record<string, readonly string[] | undefined>>) =>
  Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all?.at(-1)]));
