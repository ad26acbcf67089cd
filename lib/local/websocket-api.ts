/** API Gateway's WebSocket API: the handshake by `$connect`, messages to the function of their route, and its limits. */
import { randomBytes, randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { LocalClock } from './aws/service.ts';
import type { OpenConnections } from './aws/websocket-connections.ts';
import { type SocketCall, socketEvent } from './websocket-event.ts';

/** "Quotas for configuring and running a WebSocket in API Gateway". */
const connectionMs = 2 * 3_600_000;
const idleMs = 10 * 60_000;
/** Of a frame: clients send a message in one, unless they are told otherwise. API Gateway closes with 1009, as `ws` does. */
const frameBytesMax = 32 * 1024;

export interface SocketApi {
  readonly apiId: string;
  /** The first part of the path. */
  readonly stage: string;
  /** The function of each route key. */
  readonly routes: Readonly<Record<string, string>>;
}

export interface SocketApiOptions {
  readonly api: SocketApi;
  readonly connections: OpenConnections;
  readonly clock: Pick<LocalClock, 'at' | 'now'>;
  readonly invoke: (functionArn: string, event: unknown) => Promise<unknown>;
  /** Whether API Gateway may invoke the function of a route. */
  readonly mayInvoke: (routeKey: string, functionArn: string) => boolean;
}

/** Takes over a request to upgrade a connection. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Serves the API. `close` ends all connections. */
export function createSocketApi(options: SocketApiOptions): { readonly upgrade: Upgrade; close(): void } {
  const { api, connections } = options;
  const server = new WebSocketServer({ noServer: true, clientTracking: true, maxPayload: frameBytesMax });
  const handshake = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const call: SocketCall = {
      apiId: api.apiId,
      stage: api.stage,
      connectionId: randomBytes(11).toString('base64'),
      connectedAt: options.clock.now(),
      sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
      userAgent: request.headers['user-agent'] ?? '',
    };
    const isOfStage = new URL(request.url ?? '/', 'http://local').pathname === `/${api.stage}`;
    const status = isOfStage ? await connectStatus(request, call, options) : 403;
    if (status >= 300) return refuse(socket, status);
    // The client has left, and the upgrade would end the socket without a word.
    if (!socket.readable || !socket.writable) {
      socket.destroy();
      return tellEnd(call, { code: 1006, reason: '' }, options);
    }
    server.handleUpgrade(request, socket, head, (opened) => serve(opened, call, options));
  };
  return {
    upgrade: (request, socket, head) => {
      // The client may go away before the function answers.
      socket.on('error', () => socket.destroy());
      handshake(request, socket, head).catch(() => refuse(socket, 500));
    },
    close() {
      for (const client of server.clients) client.terminate();
      connections.clear();
    },
  };
}

function refuse(socket: Duplex, status: number): void {
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}

/** The status of `$connect`: that of its function ("Manage connected users and client apps: $connect and $disconnect routes"). */
async function connectStatus(
  request: IncomingMessage,
  call: SocketCall,
  options: SocketApiOptions,
): Promise<number> {
  const nowMs = options.clock.now();
  const result = await run('$connect', socketEvent(call, { kind: 'connect', request, nowMs }), options);
  const { statusCode } = Object(result) as { statusCode?: unknown };
  return typeof statusCode === 'number' ? statusCode : 500;
}

async function run(routeKey: string, event: object, options: SocketApiOptions): Promise<unknown> {
  const functionArn = options.api.routes[routeKey];
  if (functionArn === undefined) return { statusCode: 200 };
  if (!options.mayInvoke(routeKey, functionArn)) throw new Error('API Gateway may not invoke the function');
  return await options.invoke(functionArn, event);
}

/** Serves a connection until it ends. */
function serve(socket: WebSocket, call: SocketCall, options: SocketApiOptions): void {
  const { connections, clock } = options;
  const { connectionId } = call;
  const end = () => socket.close(1001, 'Going away');
  const cancelEnd = clock.at(call.connectedAt + connectionMs, end);
  let cancelIdle = clock.at(clock.now() + idleMs, end);
  const noteActivity = () => {
    cancelIdle();
    cancelIdle = clock.at(clock.now() + idleMs, end);
  };
  connections.set(connectionId, { socket, ...call, noteActivity });
  socket.on('message', (data, isBinary) => {
    noteActivity();
    const body = Buffer.isBuffer(data) ? data.toString(isBinary ? 'base64' : 'utf8') : '';
    const route = routeOf(body, options.api);
    const message = { kind: 'message', route, body, isBinary, nowMs: clock.now() } as const;
    run(route, socketEvent(call, message), options).catch(() => {
      const requestId = randomUUID();
      socket.send(JSON.stringify({ message: 'Internal server error', connectionId, requestId }));
    });
  });
  // The close follows.
  socket.on('error', () => {});
  socket.on('close', (code, reason) => {
    cancelEnd();
    cancelIdle();
    // The cloud has closed.
    if (!connections.delete(connectionId)) return;
    tellEnd(call, { code, reason: reason.toString() }, options);
  });
}

/** API Gateway does its best to send it, once ("The $disconnect route"). */
function tellEnd(call: SocketCall, end: { code: number; reason: string }, options: SocketApiOptions): void {
  const left = { kind: 'disconnect', ...end, nowMs: options.clock.now() } as const;
  run('$disconnect', socketEvent(call, left), options).catch(() => {});
}

/** The route that `$request.body.action` selects. */
function routeOf(body: string, { routes }: SocketApi): string {
  try {
    const { action } = Object(JSON.parse(body)) as { action?: unknown };
    return typeof action === 'string' && Object.hasOwn(routes, action) ? action : '$default';
  } catch {
    return '$default';
  }
}
