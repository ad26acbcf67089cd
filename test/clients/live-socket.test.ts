/** `events.live` over real sockets, of the runtime and of the package `ws`: cut connections, refused tickets, what is no message. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocketServer, WebSocket as WsClient, type WebSocket as WsSocket } from 'ws';
import { type Event, Parley, type WebSocketClass } from '../../clients/typescript/src/index.ts';
import { lookEveryMs } from '../../clients/typescript/src/live/connection.ts';
import { systemRuntime } from '../../clients/typescript/src/runtime.ts';
import { apiKey } from './support/offline-client.ts';
import { scriptedEvent } from './support/scripted-live.ts';

/** What becomes of a connection after `subscribed`; the first ones in this order, then none. */
type Fate = 'refuse' | 'cut' | 'close' | 'garbage' | 'binary' | 'large' | 'keep';

/** An API with a log of its own, and a WebSocket on which only the last connection brings events. */
async function service(fates: readonly Fate[]) {
  const log: Event[] = [];
  const subscriptions: { after: string }[] = [];
  const left = [...fates];
  const server = createServer((request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? '', 'http://a.example');
    response.setHeader('content-type', 'application/json');
    const after = searchParams.get('after') ?? '';
    const data = searchParams.get('order') === 'desc' ? log.slice(-1) : log.filter(({ id }) => id > after);
    const { port } = server.address() as AddressInfo;
    const ticket = { url: `ws://127.0.0.1:${port}/live?ticket=t`, expires_at: '' };
    response.end(JSON.stringify(pathname.endsWith('/live') ? ticket : { data, next_cursor: null }));
  });
  const sockets = new WebSocketServer({ noServer: true });
  const clients = new Set<WsSocket>();
  let kept = () => {};
  const isKept = new Promise<void>((resolve) => {
    kept = resolve;
  });
  server.on('upgrade', (request, socket, head) => {
    const fate = left.shift() ?? 'keep';
    if (fate === 'refuse') return socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on('message', (text) => {
        const message = JSON.parse(String(text));
        subscriptions.push(message);
        client.send(JSON.stringify({ type: 'subscribed', after: message.after }));
        if (fate === 'keep') {
          clients.add(client);
          kept();
        }
        if (fate === 'cut') client.terminate();
        if (fate === 'close') client.close(1001);
        if (fate === 'garbage') client.send('<html>');
        if (fate === 'binary') client.send(Buffer.from([1, 2, 3]));
        if (fate === 'large') client.send(JSON.stringify({ type: 'event', event: 'x'.repeat(1024 * 1024) }));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    sockets.close();
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const add = (event: Event, isPushed: boolean) => {
    log.push(event);
    if (isPushed) for (const client of clients) client.send(JSON.stringify({ type: 'event', event }));
  };
  return { baseUrl: `http://127.0.0.1:${port}`, add, subscriptions, isKept };
}

const classes: readonly (readonly [string, WebSocketClass])[] = [
  ['the runtime', WebSocket],
  ['ws', WsClient],
];

it.each(classes)('goes on after whatever a connection ends with: %s', async (_, webSocket) => {
  const { baseUrl, add, subscriptions, isKept } = await service([
    'refuse',
    'cut',
    'close',
    'garbage',
    'binary',
    'large',
    'keep',
  ]);
  // Waits for the next attempt are short; what is waited for has its time.
  const runtime = {
    ...systemRuntime,
    wait: (ms: number, signal: AbortSignal | undefined) =>
      systemRuntime.wait(ms === lookEveryMs ? ms : ms / 1000, signal),
    now: () => Date.now() * 1000,
  };
  const parley = new Parley({ apiKey, baseUrl, webSocket }, runtime);
  const stop = new AbortController();
  const ids: string[] = [];
  const run = (async () => {
    for await (const { id } of parley.events.live({
      after: scriptedEvent(0).event.id,
      signal: stop.signal,
    })) {
      ids.push(id);
      if (ids.length === 2) stop.abort();
    }
  })();
  const [first, second] = [scriptedEvent(1000).event, scriptedEvent(2000).event];
  add(first, false);
  await isKept;
  add(second, true);
  await run;
  expect(ids).toEqual([first.id, second.id]);
  expect(subscriptions).toHaveLength(6);
});
