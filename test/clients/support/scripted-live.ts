/**
 * An event log with a live connection, in virtual time: events appear at times of their own, some late; answers fail, connections drop
 * with and without a word, repeat, and send what is no message, by a seed.
 */
import {
  type Event,
  type LiveOptions,
  type LiveState,
  Parley,
  type WebSocketClass,
  type WebSocketLike,
} from '../../../clients/typescript/src/index.ts';
import { idBefore } from '../../../clients/typescript/src/live/feed.ts';
import type { Runtime } from '../../../clients/typescript/src/runtime.ts';
import { apiKey, baseUrl, json, problem } from './offline-client.ts';

export const startMs = Date.UTC(2027, 0, 31);
export const idAt = (ms: number, number = 1): string =>
  `${idBefore(startMs + ms).slice(0, 16)}${String(number).padStart(20, '0')}`;

export interface ScriptedEvent {
  readonly event: Event;
  /** Milliseconds from the start at which it is in the log. */
  readonly shownAtMs: number;
}

export function scriptedEvent(
  ms: number,
  number = 1,
  { lateMs = 0, type = 'email.sent' } = {},
): ScriptedEvent {
  const event = { id: idAt(ms, number), type, created_at: '', space_id: null, data: {} };
  return { event: event as unknown as Event, shownAtMs: ms + lateMs };
}

/** What goes wrong, each from 0, never, to 1, always. */
export interface Faults {
  /** A request fails: no answer, 503, 429, or half of a body. */
  readonly request: number;
  /** A ticket is refused, or the handshake fails. */
  readonly handshake: number;
  /** A connection ends with a message that it was to send. */
  readonly drop: number;
  /** As `drop`, but neither side hears of it. */
  readonly silence: number;
  /** A message is sent twice. */
  readonly repeat: number;
  /** What is sent is no message. */
  readonly garbage: number;
}

export const noFaults: Faults = { request: 0, handshake: 0, drop: 0, silence: 0, repeat: 0, garbage: 0 };

/** Time that passes only by `pass`. */
export function virtualTime(random: () => number) {
  let nowMs = 0;
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>();
  const at = (ms: number, run: () => void) => {
    const timer = { atMs: nowMs + Math.max(0, ms), run };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  const runtime: Runtime = {
    now: () => nowMs,
    random,
    uuid: async () => 'uuid',
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const cancel = at(ms, resolve);
        signal?.addEventListener('abort', () => {
          cancel();
          reject(signal.reason);
        });
      }),
  };
  /** Runs what is due next. */
  const step = () => {
    const next = [...timers].reduce((a, b) => (b.atMs < a.atMs ? b : a));
    timers.delete(next);
    nowMs = next.atMs;
    next.run();
  };
  /** What promises do takes no time. */
  const settle = async () => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  /** Until it is true, or a time has passed. @returns whether it is */
  const pass = async (ms: number, until: () => boolean = () => false): Promise<boolean> => {
    const endMs = nowMs + ms;
    let isOver = false;
    at(ms, () => {
      isOver = true;
    });
    for (await settle(); !until() && !isOver && nowMs <= endMs; await settle()) step();
    return until();
  };
  return { runtime, at, now: () => nowMs, pass };
}

export type VirtualTime = ReturnType<typeof virtualTime>;

export class ScriptedSocket implements WebSocketLike {
  readyState = 0;
  readonly sent: { action: string; after?: string; types?: string[] }[] = [];
  readonly url: string;
  readonly #listeners: [string, (event: { readonly data?: unknown }) => void][] = [];

  constructor(url: string) {
    this.url = url;
  }

  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void {
    this.#listeners.push([type, listener]);
  }

  dispatch(type: string, event: { readonly data?: unknown } = {}): void {
    for (const [of, listener] of this.#listeners) if (of === type) listener(event);
  }

  /** Of the service. */
  give(message: unknown): void {
    const data = typeof message === 'string' ? message : JSON.stringify(message);
    if (this.readyState === 1) this.dispatch('message', { data });
  }

  open(): void {
    if (this.readyState !== 0) return;
    this.readyState = 1;
    this.dispatch('open');
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
    this.dispatch('sent');
  }

  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.dispatch('close');
  }
}

/** @param events of the whole script */
export function scriptedService(
  time: VirtualTime,
  events: readonly ScriptedEvent[],
  {
    faults = noFaults,
    random = () => 0.5,
  }: { readonly faults?: Faults; readonly random?: () => number } = {},
) {
  const sockets: ScriptedSocket[] = [];
  const requests: string[] = [];
  const silent = new Set<ScriptedSocket>();
  const open = new Map<ScriptedSocket, (event: Event) => void>();
  const service = { faults, sockets, requests, open, webSocket: ScriptedSocket, fetch: answer };
  const happens = (chance: number) => random() < chance;
  const shown = () =>
    events
      .filter(({ shownAtMs }) => shownAtMs <= time.now())
      .map(({ event }) => event)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const { event, shownAtMs } of events) {
    time.at(shownAtMs, () => {
      for (const push of open.values()) push(event);
    });
  }

  async function answer(url: string): Promise<Response> {
    const { pathname, searchParams } = new URL(url);
    const name = pathname.replace('/api/v2', '');
    requests.push(name);
    await time.runtime.wait(5 + random() * 50, undefined);
    if (happens(service.faults.request)) return failure(Math.floor(random() * 4));
    if (name === '/live') return ticket();
    if (name === '/events') return json(200, page(searchParams));
    const event = events.find(({ event: { id } }) => name.endsWith(id))?.event;
    return event ? json(200, event) : problem(404, 'not_found');
  }

  function ticket(): Response {
    if (happens(service.faults.handshake / 2)) return problem(409, 'limit_reached');
    return json(201, { url: 'wss://api.example.com/live?ticket=t', expires_at: '' });
  }

  function page(query: URLSearchParams) {
    const [after, limit] = [
      query.get('cursor') ?? query.get('after') ?? '',
      Number(query.get('limit') ?? 20),
    ];
    const types = query.getAll('type');
    const found = shown().filter(
      ({ id, type }) => id > after && (types.length === 0 || types.includes(type)),
    );
    if (query.get('order') === 'desc') return { data: found.toReversed().slice(0, limit), next_cursor: null };
    const data = found.slice(0, limit);
    return { data, next_cursor: found.length > limit ? (data.at(-1)?.id ?? null) : null };
  }

  class Socket extends ScriptedSocket {
    constructor(url: string) {
      super(url);
      sockets.push(this);
      this.addEventListener('sent', () => receive(this));
      this.addEventListener('close', () => open.delete(this));
      const isRefused = happens(service.faults.handshake / 2);
      time.at(5 + random() * 50, () => (isRefused ? this.close() : this.open()));
    }
  }
  service.webSocket = Socket;

  function receive(socket: ScriptedSocket): void {
    const { action, after = '', types } = socket.sent.at(-1) ?? { action: '' };
    const give = (message: unknown) => {
      if (happens(service.faults.drop)) return socket.close();
      if (happens(service.faults.silence)) silent.add(socket);
      if (silent.has(socket)) return;
      if (happens(service.faults.garbage)) return socket.give(garbage(random()));
      socket.give(message);
      if (happens(service.faults.repeat)) socket.give(message);
    };
    const push = (event: Event) => {
      if (!types || types.includes(event.type)) give({ type: 'event', event });
    };
    if (action === 'ping' && !silent.has(socket)) socket.give({ type: 'pong' });
    if (action !== 'subscribe') return;
    time.at(5, () => {
      give({ type: 'subscribed', after });
      for (const event of shown()) if (event.id > after) push(event);
      if (socket.readyState === 1) open.set(socket, push);
    });
  }
  return service;
}

function failure(kind: number): Response {
  if (kind === 0) throw new TypeError('fetch failed');
  if (kind === 1) return json(503, { message: 'Service Unavailable' });
  if (kind === 2) return problem(429, 'too_many_requests', {}, { 'retry-after': '1' });
  return new Response('{"data": [', { headers: { 'content-type': 'application/json' } });
}

const garbages = ['', 'null', '[]', '{"type":', '{"message":"Internal server error"}', '{"type":"event"}'];

/** What a gateway, a proxy or a fault may send; among it a message of a megabyte. */
function garbage(random: number): string {
  const kind = Math.floor(random * (garbages.length + 1));
  return garbages[kind] ?? JSON.stringify({ type: 'event', event: { id: 'x'.repeat(1024 * 1024) } });
}

/** A client of it, and what its iteration has given so far. */
export function scriptedClient(
  time: VirtualTime,
  service: {
    readonly fetch: (url: string) => Promise<Response>;
    readonly webSocket: WebSocketClass | null;
  },
) {
  const { fetch, webSocket } = service;
  return new Parley({ apiKey, baseUrl, fetch, webSocket, maxRetries: 0 }, time.runtime);
}

/** @param consume called with each event; the next one is asked for when it resolves */
export function consumption(
  parley: Parley,
  options: LiveOptions,
  consume: (event: Event) => Promise<void> | void = () => {},
) {
  const ids: string[] = [];
  const states: LiveState[] = [];
  const found = { ids, states, isOver: false, error: undefined as unknown };
  const run = async () => {
    const onState = (state: LiveState) => void states.push(state);
    for await (const event of parley.events.live({ onState, ...options })) {
      ids.push(event.id);
      await consume(event);
    }
  };
  run()
    .catch((error: unknown) => {
      found.error = error;
    })
    .finally(() => {
      found.isOver = true;
    });
  return found;
}
