/** Receivers for the HTTP client: servers on free ports that end with the test, whatever connections are still open. */
import { createServer, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import { onTestFinished } from 'vitest';
import { type HttpExchange, postToReceiver, type WebhookPost } from '../../lib/adapters/outbound-http.ts';

/** Listens on a free port until the test ends, then cuts whatever is still open. Returns the port. */
export async function listen(server: TcpServer | Server, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  onTestFinished(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
      for (const socket of sockets) socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

/** A port where nobody listens. */
export async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export const httpReceiver = (listener: RequestListener): Promise<number> => listen(createServer(listener));

/** A server that does `answer` with the connection once the request begins. */
export const tcpReceiver = (answer: (socket: Socket) => void): Promise<number> =>
  listen(createTcpServer({ allowHalfOpen: true }, (socket) => socket.once('data', () => answer(socket))));

/** Posts a small body, with plain http and loopback addresses allowed. */
export async function post(url: string, changes: Partial<WebhookPost> = {}): Promise<HttpExchange> {
  return await postToReceiver({
    url,
    headers: { 'Content-Type': 'application/json', 'Parley-Event-ID': 'evt_1' },
    body: '{"ok":true}',
    timeoutMs: 5_000,
    allowInsecure: true,
    ...changes,
  });
}
