/** The emulated WebSocket API: handshake, events of its function, limits, and `@connections`. */

import type { Duplex } from 'node:stream';
import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GetConnectionCommand,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { createConnectionsService, type OpenConnections } from '../../lib/local/aws/websocket-connections.ts';
import { startHttp } from '../../lib/local/http-server.ts';
import { createSocketApi } from '../../lib/local/websocket-api.ts';
import { localAws } from './aws/local-aws.ts';

interface SocketEvent {
  readonly requestContext: Readonly<Record<string, unknown>> & { readonly connectionId: string };
  readonly queryStringParameters?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const functionArn = 'arn:socket';

/** An API whose function answers what `answer` returns. */
async function start(
  answer: (event: SocketEvent) => unknown = () => ({ statusCode: 200 }),
  { mayInvoke = true, allowed = true } = {},
) {
  const connections: OpenConnections = new Map();
  const named = { apiId: 'api-1', stage: 'live' };
  const needed: string[] = [];
  const aws = await localAws(
    () => [createConnectionsService(connections, named)],
    (_, permission) => {
      needed.push(`${permission.action} on ${permission.resource}`);
      return allowed;
    },
  );
  const events: SocketEvent[] = [];
  const waiting: (() => void)[] = [];
  const api = createSocketApi({
    api: { ...named, routes: { $connect: functionArn, $default: functionArn, $disconnect: functionArn } },
    connections,
    clock: aws.clock,
    mayInvoke: () => mayInvoke,
    invoke: async (_, event) => {
      events.push(event as SocketEvent);
      for (const wake of waiting.splice(0)) wake();
      return answer(event as SocketEvent);
    },
  });
  const sockets: Duplex[] = [];
  const http = await startHttp(0, async () => null, {
    upgrade: (request, socket, head) => {
      sockets.push(socket);
      api.upgrade(request, socket, head);
    },
  });
  onTestFinished(async () => {
    api.close();
    await http.close();
  });
  const eventOf = async (routeKey: string): Promise<SocketEvent> => {
    for (;;) {
      const found = events.find(({ requestContext }) => requestContext.routeKey === routeKey);
      if (found) return found;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  const open = (target = '/live') => new WebSocket(`ws://127.0.0.1:${http.port}${target}`);
  return {
    aws,
    connections,
    events,
    eventOf,
    open,
    needed,
    sockets,
    client: new ApiGatewayManagementApiClient(aws.as('role')),
  };
}

const opened = (socket: WebSocket) => new Promise<void>((resolve) => socket.once('open', resolve));
const closed = (socket: WebSocket) => new Promise<number>((resolve) => socket.once('close', resolve));
const message = (socket: WebSocket) =>
  new Promise<string>((resolve) => socket.once('message', (data) => resolve(String(data))));
const refusal = (socket: WebSocket) =>
  new Promise<number | undefined>((resolve) =>
    socket.once('unexpected-response', (_, response) => resolve(response.statusCode)),
  );

describe('the handshake', () => {
  it('has the events of `$connect`, `$default` and `$disconnect`', async () => {
    const { events, eventOf, open } = await start();
    const socket = open('/live?ticket=a&ticket=b&x=1');
    await opened(socket);
    socket.send('{"action":"hello"}');
    await eventOf('$default');
    socket.close(1000, 'done');
    await eventOf('$disconnect');
    const context = {
      messageDirection: 'IN',
      stage: 'live',
      connectedAt: expect.any(Number),
      requestTimeEpoch: expect.any(Number),
      identity: { userAgent: '', sourceIp: '127.0.0.1' },
      requestId: expect.any(String),
      extendedRequestId: expect.any(String),
      domainName: '127.0.0.1',
      connectionId: events[0]?.requestContext.connectionId,
      apiId: 'api-1',
    };
    expect(events).toEqual([
      {
        headers: expect.objectContaining({ upgrade: 'websocket' }),
        multiValueHeaders: expect.objectContaining({ upgrade: ['websocket'] }),
        queryStringParameters: { ticket: 'b', x: '1' },
        multiValueQueryStringParameters: { ticket: ['a', 'b'], x: ['1'] },
        requestContext: { routeKey: '$connect', eventType: 'CONNECT', ...context },
        isBase64Encoded: false,
      },
      {
        requestContext: {
          routeKey: '$default',
          messageId: expect.any(String),
          eventType: 'MESSAGE',
          ...context,
        },
        body: '{"action":"hello"}',
        isBase64Encoded: false,
      },
      {
        requestContext: {
          routeKey: '$disconnect',
          disconnectStatusCode: 1000,
          disconnectReason: 'done',
          eventType: 'DISCONNECT',
          ...context,
        },
        isBase64Encoded: false,
      },
    ]);
  });

  it.each([
    [401, () => ({ statusCode: 401 })],
    [403, () => ({ statusCode: 403 })],
    [500, () => ({})],
    [
      500,
      () => {
        throw new Error('crashed');
      },
    ],
  ])('is refused with %i as the function says', async (status, answer) => {
    const { open, connections } = await start(answer);
    expect(await refusal(open())).toBe(status);
    expect(connections.size).toBe(0);
  });

  it('has a `$disconnect` when the client went away before the function answered', async () => {
    const { connections, eventOf, open, sockets } = await start(async ({ requestContext }) => {
      const [socket] = sockets;
      if (requestContext.routeKey === '$connect' && socket) {
        // The client ends its side; ours stays open.
        const ended = new Promise((resolve) => socket.once('end', resolve));
        client.terminate();
        await ended;
      }
      return { statusCode: 200 };
    });
    const client = open();
    client.on('error', () => {});
    const [begun, ended] = [await eventOf('$connect'), await eventOf('$disconnect')];
    expect(ended.requestContext.connectionId).toBe(begun.requestContext.connectionId);
    expect(connections.size).toBe(0);
  });

  it('is refused on another path, and when API Gateway may not invoke the function', async () => {
    const { open } = await start();
    expect(await refusal(open('/other'))).toBe(403);
    const forbidden = await start(undefined, { mayInvoke: false });
    expect(await refusal(forbidden.open())).toBe(500);
  });
});

describe('a connection', () => {
  it('takes messages up to a frame, and is closed with 1009 when one is larger', async () => {
    const { eventOf, open } = await start();
    const socket = open();
    await opened(socket);
    socket.send('x'.repeat(32 * 1024));
    expect((await eventOf('$default')).body).toHaveLength(32 * 1024);
    socket.send('x'.repeat(32 * 1024 + 1));
    expect(await closed(socket)).toBe(1009);
  });

  it('is told by API Gateway when the function fails', async () => {
    const { open } = await start(({ requestContext }) => {
      if (requestContext.eventType === 'MESSAGE') throw new Error('crashed');
      return { statusCode: 200 };
    });
    const socket = open();
    await opened(socket);
    socket.send('x');
    expect(JSON.parse(await message(socket))).toEqual({
      message: 'Internal server error',
      connectionId: expect.any(String),
      requestId: expect.any(String),
    });
  });

  it('ends after ten minutes without a message, and after two hours', async () => {
    const { aws, open, events } = await start();
    const socket = open();
    await opened(socket);
    await aws.clock.advance(9 * 60_000);
    expect(socket.readyState).toBe(WebSocket.OPEN);
    await aws.clock.advance(60_000);
    expect(await closed(socket)).toBe(1001);
    expect(events.length).toBeGreaterThan(0);
  });
});

describe('@connections', () => {
  it('sends to, describes and ends a connection', async () => {
    const { client, eventOf, needed, open } = await start();
    const socket = open();
    await opened(socket);
    const { connectionId: ConnectionId } = (await eventOf('$connect')).requestContext;
    const received = message(socket);
    await client.send(new PostToConnectionCommand({ ConnectionId, Data: Buffer.from('Grüße') }));
    expect(await received).toBe('Grüße');
    const { Identity, ConnectedAt } = await client.send(new GetConnectionCommand({ ConnectionId }));
    expect(Identity?.SourceIp).toBe('127.0.0.1');
    expect(ConnectedAt).toBeInstanceOf(Date);
    await client.send(new DeleteConnectionCommand({ ConnectionId }));
    expect(await closed(socket)).toBe(1000);
    await eventOf('$disconnect');
    const resource = `arn:aws:execute-api:eu-central-1:111111111111:api-1/live`;
    expect(needed).toEqual(
      ['POST', 'GET', 'DELETE'].map(
        (method) => `execute-api:ManageConnections on ${resource}/${method}/@connections/${ConnectionId}`,
      ),
    );
  });

  it('is gone when there is no such connection, and refuses more than 128 KB and roles without permission', async () => {
    const { client, eventOf, open } = await start();
    const gone = new PostToConnectionCommand({ ConnectionId: 'L0SM9cOFvHcCIhw=', Data: Buffer.from('x') });
    await expect(client.send(gone)).rejects.toMatchObject({ name: 'GoneException' });
    const socket = open();
    await opened(socket);
    const { connectionId: ConnectionId } = (await eventOf('$connect')).requestContext;
    const post = (bytes: number) =>
      client.send(new PostToConnectionCommand({ ConnectionId, Data: Buffer.alloc(bytes, 'x') }));
    const received = message(socket);
    await post(128 * 1024);
    expect(await received).toHaveLength(128 * 1024);
    await expect(post(128 * 1024 + 1)).rejects.toMatchObject({ name: 'PayloadTooLargeException' });
    const without = await start(undefined, { allowed: false });
    await expect(without.client.send(gone)).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });
});
