/** `npm run measure:live`: how soon events reach live connections, on a local cloud, from their recording and from the request that causes them. */
import { setTimeout as pause } from 'node:timers/promises';
import { type EventId, idTime } from '../lib/core/ids.ts';
import { connectionsMax } from '../lib/core/live/connection.ts';
import { defaultGuardRails, startCloud } from '../lib/local/index.ts';
import { workspace } from '../test/support/workspace.ts';
import { quantile } from './bench/figures.ts';

const emails = 100;
const numbersOfConnections = [1, 20, connectionsMax];

interface Frame {
  readonly type: string;
  readonly event?: {
    readonly id: EventId;
    readonly type: string;
    readonly data: { readonly thread_id: string };
  };
}

const cloud = await startCloud({ guardRails: defaultGuardRails });
try {
  Object.assign(process.env, cloud.environment);
  console.log(
    '| Connections | Events | p50, ms | p95, ms | p99, ms | `thread.created` from the request: p95, ms |',
  );
  console.log('|---:|---:|---:|---:|---:|---:|');
  for (const connections of numbersOfConnections) console.log(await rowOf(connections));
} finally {
  await cloud.close();
}

/** Figures of some emails that are sent at odd times, in a workspace of their own. */
async function rowOf(connections: number): Promise<string> {
  const { providedDomain, key: token } = await workspace({ slug: `live-${connections}` });
  const post = async (path: string, body?: object) => {
    const response = await fetch(`${cloud.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as { readonly url: string; readonly thread_id: string };
  };
  const delays: number[] = [];
  const arrivals = new Map<string, number>();
  const sockets: WebSocket[] = [];
  for (let at = 0; at < connections; at++) {
    sockets.push(
      await openSubscribed((await post('/live')).url, ({ event }) => {
        if (!event) return;
        delays.push(Date.now() - idTime(event.id));
        if (event.type === 'thread.created') arrivals.set(event.data.thread_id, Date.now());
      }),
    );
  }
  const waits: number[] = [];
  for (let sent = 0; sent < emails; sent++) {
    const begun = Date.now();
    const { thread_id } = await post('/emails', {
      from: `support@${providedDomain}`,
      to: 'success@simulator.amazonses.com',
      subject: 'Live',
      text: 'Live',
    });
    await pause(100 + 7 * (sent % 13));
    await cloud.settle();
    waits.push((arrivals.get(thread_id) ?? Number.POSITIVE_INFINITY) - begun);
  }
  for (const socket of sockets) socket.close();
  const figures = [0.5, 0.95, 0.99].map((part) => Math.round(quantile(delays, part)));
  return `| ${connections} | ${delays.length} | ${figures.join(' | ')} | ${Math.round(quantile(waits, 0.95))} |`;
}

async function openSubscribed(url: string, onFrame: (frame: Frame) => void): Promise<WebSocket> {
  const socket = new WebSocket(url);
  const begun = Promise.withResolvers<void>();
  socket.onerror = () => begun.reject(new Error('the connection was refused'));
  socket.onopen = () => socket.send('{"action":"subscribe"}');
  socket.onmessage = ({ data }) => {
    const frame: Frame = JSON.parse(String(data));
    if (frame.type === 'subscribed') begun.resolve();
    onFrame(frame);
  };
  await begun.promise;
  return socket;
}
