/** `events.live`: each event once, through breaks of the connection and of the service. In virtual time, without a cloud. */
import { describe, expect, it } from 'vitest';
import { type Event, UnauthorizedError } from '../../clients/typescript/src/index.ts';
import { lookEveryMs, queuedMax } from '../../clients/typescript/src/live/connection.ts';
import { lagMs } from '../../clients/typescript/src/live/feed.ts';
import { proveModel } from './support/live-model.ts';
import { json, problem } from './support/offline-client.ts';
import {
  consumption,
  idAt,
  noFaults,
  type ScriptedEvent,
  ScriptedSocket,
  scriptedClient,
  scriptedEvent,
  scriptedService,
  virtualTime,
} from './support/scripted-live.ts';

/** A service, its client, and what a loop over `events.live` has got. */
function setUp(
  events: readonly ScriptedEvent[],
  options: Parameters<typeof consumption>[1] = {},
  consume?: (event: Event) => Promise<void> | void,
) {
  const time = virtualTime(() => 0.5);
  const service = scriptedService(time, events);
  const stop = new AbortController();
  const start = () =>
    consumption(scriptedClient(time, service), { signal: stop.signal, ...options }, consume);
  return { time, service, stop, start };
}

const vias = ({ states }: { readonly states: readonly { readonly via: string | null }[] }) =>
  states.map(({ via }) => via);
const everySecond = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => scriptedEvent((from + index) * 1000, index));

describe('a run with breaks', () => {
  it('gives each event once, in the order of the log', async () => {
    // Longer ones are in live-model.all.test.ts.
    await proveModel(100, 2);
  });
});

describe('a connection', () => {
  it('gives events when they happen, of the types, labels and space that are asked for', async () => {
    const options = { types: ['email.sent'] as const, spaceId: 'none' as const };
    const { time, service, start } = setUp([scriptedEvent(60_000), scriptedEvent(1, 2)], options);
    const found = start();
    await time.pass(59_999);
    const before = service.requests.length;
    await time.pass(2);
    expect(found.ids.at(-1)).toBe(idAt(60_000));
    expect(service.requests).toHaveLength(before);
    expect(service.sockets.map(({ url }) => url)).toEqual(['wss://api.example.com/live?ticket=t']);
    expect(service.sockets[0]?.sent[0]).toEqual({
      action: 'subscribe',
      types: ['email.sent'],
      space_id: 'none',
      after: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
    });
    expect(vias(found)).toEqual(['log', 'socket']);
  });

  it('begins with what happens from now on, or behind an event or a time', async () => {
    const events = [scriptedEvent(-5000), scriptedEvent(-3000, 2), scriptedEvent(3000)];
    const all = events.map(({ event }) => event.id);
    for (const [after, expected] of [
      [undefined, all.slice(2)],
      [idAt(-5000), all.slice(1)],
      ['2027-01-30T23:59:56Z', all.slice(1)],
      [new Date('2027-01-30T00:00:00Z'), all],
    ] as const) {
      const { time, start } = setUp(events, { after });
      const found = start();
      await time.pass(5000);
      expect(found.ids, String(after)).toEqual(expected);
    }
  });

  it.each(['yesterday', '2027-01-30T00:00:00', 'evt_1', new Date(Number.NaN)])(
    'refuses to begin behind %s',
    async (after) => {
      const { time, start } = setUp([], { after });
      const found = start();
      await time.pass(1);
      expect(found.error).toMatchObject({ code: 'invalid_argument' });
    },
  );

  it('that ends after long is opened again at once, without a look at the log', async () => {
    const { time, service, start } = setUp(everySecond(200));
    const found = start();
    await time.pass(100_500);
    const before = service.requests.length;
    service.sockets[0]?.close();
    await time.pass(110_000);
    expect(found.ids).toHaveLength(200);
    expect(service.requests.slice(before)).toEqual(['/live']);
    expect(service.sockets[1]?.sent[0]?.after).toBe(
      idAt(100_000 - lagMs, 0)
        .slice(0, 16)
        .padEnd(36, '0'),
    );
    expect(vias(found)).toEqual(['log', 'socket']);
  });

  it('is asked whether it is there after four quiet minutes, and given up where it does not answer', async () => {
    const { time, service, start } = setUp([scriptedEvent(600_000)]);
    const found = start();
    await time.pass(230_000);
    const [first] = service.sockets;
    expect(first?.sent.map(({ action }) => action)).toEqual(['subscribe']);
    await time.pass(30_000);
    expect(first?.sent.map(({ action }) => action)).toEqual(['subscribe', 'ping']);
    expect(first?.readyState).toBe(1);
    // Nothing comes through any more, and no side hears of it.
    if (first) Object.assign(first, { give: () => {} });
    await time.pass(250_000 + 2 * lookEveryMs);
    expect(first?.readyState).toBe(3);
    await time.pass(100_000);
    expect(found.ids).toEqual([idAt(600_000)]);
  });

  it('is asked at once when the machine has slept, or its clock was set', async () => {
    const { time, service, start } = setUp([]);
    const runtimeNow = time.runtime.now;
    let skewMs = 0;
    time.runtime.now = () => runtimeNow() + skewMs;
    start();
    await time.pass(15_000);
    for (const skew of [3_600_000, -7_200_000]) {
      skewMs += skew;
      await time.pass(10_000);
    }
    expect(service.sockets[0]?.sent.map(({ action }) => action)).toEqual(['subscribe', 'ping', 'ping']);
    expect(service.sockets[0]?.readyState).toBe(1);
  });

  it('reads an event that is too large for a message', async () => {
    const { time, service, start } = setUp([scriptedEvent(50_000)]);
    const found = start();
    await time.pass(10_000);
    const large = idAt(50_000);
    // The service has it, and says its id only; one that has expired is left out.
    service.sockets[0]?.give({ type: 'omitted', id: idAt(20_000, 7) });
    service.sockets[0]?.give({ type: 'omitted', id: large });
    await time.pass(1000);
    expect(found.ids).toEqual([large]);
    expect(service.requests.slice(-2)).toEqual([`/events/${idAt(20_000, 7)}`, `/events/${large}`]);
  });

  it('leaves a consumer that is slower than it, which reads on in the log', async () => {
    const burst = Array.from({ length: 3 * queuedMax }, (_, index) => scriptedEvent(30_000 + index, index));
    const { time, service, start } = setUp([...burst, scriptedEvent(600_000, 9999)], {}, () =>
      time.runtime.wait(50, undefined),
    );
    const found = start();
    await time.pass(40_000);
    expect(service.sockets[0]?.readyState).toBe(3);
    await time.pass(550_000);
    // It came back when the log was read to its end.
    expect(service.sockets).toHaveLength(2);
    await time.pass(20_000);
    expect(found.ids).toEqual([...burst.map(({ event }) => event.id), idAt(600_000, 9999)]);
  });
});

describe('the log', () => {
  it('is read where there is no WebSocket', async () => {
    const { time, service, stop } = setUp(everySecond(20));
    const parley = scriptedClient(time, { ...service, webSocket: null });
    const found = consumption(parley, { signal: stop.signal });
    await time.pass(25_000);
    expect(found.ids).toHaveLength(20);
    expect(service.requests.every((name) => name === '/events')).toBe(true);
    expect(vias(found)).toEqual(['log']);
  });

  it('is read while handshakes fail, less and less often, and left when one succeeds', async () => {
    const { time, service, start } = setUp(everySecond(250));
    service.faults = { ...noFaults, handshake: 2 };
    const found = start();
    await time.pass(100_000);
    expect(found.ids.length).toBeGreaterThan(97);
    expect(found.states.map(({ via, error }) => [via, error?.code])).toEqual([
      ['log', undefined],
      ['log', 'limit_reached'],
    ]);
    expect(service.sockets.length + service.requests.filter((name) => name === '/live').length).toBeLessThan(
      10,
    );
    service.faults = noFaults;
    await time.pass(130_000);
    expect(vias(found)).toEqual(['log', 'log', 'socket']);
    await time.pass(30_000);
    expect(found.ids).toHaveLength(250);
  });

  it('is read on where the deployment has no connections yet, which is asked seldom', async () => {
    const { time, service, stop } = setUp(everySecond(150));
    const fetch = async (url: string) => (url.endsWith('/live') ? count() : await service.fetch(url));
    let asked = 0;
    const count = () => {
      asked += 1;
      return problem(404, 'not_found');
    };
    const found = consumption(scriptedClient(time, { ...service, fetch }), { signal: stop.signal });
    await time.pass(160_000);
    expect(found.ids).toHaveLength(150);
    expect(asked).toBe(1);
  });

  it('gives events of threads with the labels', async () => {
    const ofThread = (ms: number, thread: string | null) => {
      const { event } = scriptedEvent(ms);
      return {
        event: { ...event, data: thread ? { thread_id: thread } : {} } as unknown as Event,
        shownAtMs: ms,
      };
    };
    const events = [
      ofThread(1000, 'thr_1'),
      ofThread(2000, 'thr_2'),
      ofThread(3000, null),
      ofThread(4000, 'thr_1'),
    ];
    const { time, service, stop } = setUp(events);
    const fetch = async (url: string) => {
      const thread = /\/threads\/(\w+)\?message_limit=1$/.exec(url)?.[1];
      if (!thread) return await service.fetch(url);
      return thread === 'thr_1'
        ? json(200, { labels: ['billing', 'urgent'] })
        : problem(404, 'thread_not_found');
    };
    const parley = scriptedClient(time, { ...service, fetch, webSocket: null });
    const found = consumption(parley, { labels: ['urgent'], signal: stop.signal });
    await time.pass(10_000);
    expect(found.ids).toEqual([idAt(1000), idAt(4000)]);
  });
});

describe('the end', () => {
  it.each([
    ['before the start', 0],
    ['in the first request', 3],
    ['in the request of a ticket', 45],
    ['in the handshake', 75],
    ['on the connection', 5000],
  ])('comes with the signal: %s', async (_, ms) => {
    const { time, service, stop, start } = setUp([]);
    if (ms === 0) stop.abort();
    const found = start();
    await time.pass(ms);
    expect(found.isOver).toBe(ms === 0);
    stop.abort(new Error('enough'));
    await time.pass(1);
    expect(found).toMatchObject({ isOver: true, error: undefined });
    expect(service.sockets.filter(({ readyState }) => readyState !== 3)).toEqual([]);
  });

  it('comes with the loop, which closes the connection', async () => {
    const { time, service, start } = setUp([scriptedEvent(5000)], {}, () => {
      throw new Error('mine');
    });
    const found = start();
    await time.pass(6000);
    expect(found.error).toMatchObject({ message: 'mine' });
    expect(service.sockets.map(({ readyState }) => readyState)).toEqual([3]);
  });

  it('comes with a key that is refused, at the start and later', async () => {
    const { time, service, stop } = setUp(everySecond(10));
    let isRefused = false;
    const fetch = async (url: string) =>
      isRefused ? problem(401, 'unauthorized') : await service.fetch(url);
    const parley = scriptedClient(time, { ...service, fetch });
    const found = consumption(parley, { signal: stop.signal });
    await time.pass(5500);
    isRefused = true;
    service.sockets[0]?.give({ type: 'closed', code: 'unauthenticated' });
    await time.pass(30_000);
    expect(found.error).toBeInstanceOf(UnauthorizedError);
    expect(found.ids).toHaveLength(5);
    const second = consumption(parley, {});
    await time.pass(1000);
    expect(second.error).toBeInstanceOf(UnauthorizedError);
  });

  it('comes with an address that answers as no API does', async () => {
    const { time } = setUp([]);
    const fetch = async () => new Response('<html>', { headers: { 'content-type': 'text/html' } });
    const found = consumption(scriptedClient(time, { fetch, webSocket: ScriptedSocket }), {});
    await time.pass(60_000);
    expect(found.error).toMatchObject({ code: 'unexpected_response' });
  });

  it('does not come with a service that is away: that is a state', async () => {
    const { time, service, start } = setUp([scriptedEvent(5000)], { after: idAt(0) });
    service.faults = { ...noFaults, request: 1 };
    const found = start();
    await time.pass(60_000);
    expect(found.states[0]).toMatchObject({ via: null, error: { code: expect.any(String) } });
    service.faults = noFaults;
    await time.pass(60_000);
    expect(found.ids).toEqual([idAt(5000)]);
    expect(found.states.at(-1)).toEqual({ via: 'socket', error: null });
  });
});

it('never sends a ticket in the clear where the key is not', async () => {
  const { time, service, stop } = setUp([]);
  const fetch = async (url: string) =>
    url.endsWith('/live') ? json(201, { url: 'ws://api.example.com/?ticket=t' }) : await service.fetch(url);
  consumption(scriptedClient(time, { ...service, fetch }), { signal: stop.signal });
  await time.pass(60_000);
  expect(service.sockets).toEqual([]);
});
