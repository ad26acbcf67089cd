/** The dispatch of deliveries when workers and publishers run at the same time: no delivery is lost, none is made twice. */
import { describe, expect, it } from 'vitest';
import type { DeliverWebhook } from '../../../lib/core/queue-messages.ts';
import type { Delivery } from '../../../lib/core/webhooks/delivery.ts';
import { type Health, newHealth } from '../../../lib/core/webhooks/health.ts';
import { announceDeliveries, deliverMessage } from '../../../lib/services/webhooks/announce-delivery.ts';
import { deliverDue } from '../../../lib/services/webhooks/deliver-due.ts';
import type { DispatchPorts } from '../../../lib/services/webhooks/dispatch-ports.ts';
import { numberOf } from '../../../scripts/webhooks/memory-deliveries.ts';
import { memoryEndpoint } from '../../../scripts/webhooks/memory-endpoint.ts';
import { memoryPorts } from '../../../scripts/webhooks/memory-ports.ts';

const at = 1_700_000_000_000;

/** The lease of another worker. */
const other = { token: 'other', endsWith: null, idleAfter: null };

interface Step {
  readonly actor: number;
  readonly run: () => void;
}

/** Runs actors call by call: `choose` picks the actor whose call takes effect next. */
async function interleave(
  actors: readonly ((world: World, actor: number) => Promise<unknown>)[],
  choose: (waiting: readonly number[]) => number,
  maxConcurrency = 2,
  begin: (world: World) => void = () => {},
) {
  const world = newWorld(maxConcurrency);
  begin(world);
  const results = actors.map((actor, index) => actor(world, index));
  let open = actors.length;
  for (const result of results) result.finally(() => (open -= 1)).catch(() => {});
  for (let calls = 0; open > 0; calls++) {
    if (calls > 2000) throw new Error('the actors do not end');
    await new Promise(setImmediate);
    if (world.waiting.length === 0) continue;
    const waiting = world.waiting.map(({ actor }) => actor);
    const chosen = choose([...new Set(waiting)]);
    const [step] = world.waiting.splice(waiting.indexOf(chosen), 1);
    step?.run();
  }
  await Promise.all(results);
  await finish(world);
  return world;
}

type World = ReturnType<typeof newWorld>;

function newWorld(maxConcurrency: number) {
  const model = memoryEndpoint(1, { maxConcurrency });
  model.state = { ...model.state, health: { ...newHealth, lane: 'fast' } };
  const world = {
    model,
    waiting: [] as Step[],
    messages: [] as DeliverWebhook[],
    sends: 0,
    /** Resolved with the first message. */
    sent: Promise.withResolvers<void>(),
    timers: [] as DeliverWebhook[],
    time: at,
    posted: [] as string[],
    running: 0,
    peak: 0,
    statusOf: (_: Delivery): number => 200,
    answerMs: 1,
    /** A session polls in between any two calls; else nothing happens by time alone. */
    polls: false,
    calls: [] as string[],
    /** The ports of one actor. After a crash its calls never return; the call number `failing` has an error and no effect. */
    ports: (actor: number, crashAfter = Number.POSITIVE_INFINITY, failing = 0) => {
      let calls = 0;
      const call = <T>(name: string, effect: () => T): Promise<T> =>
        new Promise((resolve, reject) => {
          calls += 1;
          world.calls.push(name);
          if (calls > crashAfter) return;
          if (calls === failing) return reject(new Error('the call fails'));
          // Its own look, attempt and record may overtake each other.
          const part = world.polls ? ['pause', 'post', 'record'].indexOf(name) + 1 : 0;
          world.waiting.push({ actor: actor + 100 * part, run: () => resolve(effect()) });
        });
      return memoryPorts({
        now: () => world.time,
        pause: () => (world.polls ? call('pause', () => {}) : new Promise(() => {})),
        random: () => 0.5,
        endpoint: () => model,
        call,
        async post(_, delivery) {
          world.running += 1;
          world.peak = Math.max(world.peak, world.running);
          await call('post', () => world.posted.push(delivery.id));
          world.running -= 1;
          const statusCode = world.statusOf(delivery);
          return {
            statusCode,
            response: '',
            error: null,
            durationMs: world.answerMs,
            retryAfter: null,
            requestedAtMs: world.time,
          };
        },
        send: (message) => {
          world.messages.push(message);
          world.sends += 1;
          world.sent.resolve();
        },
        setTimer: (message) => void world.timers.push(message),
        reportOutage: () => {},
      });
    },
  };
  return world;
}

/** Processes a message. A function is frozen when it ends: no attempt outlives it. */
async function deliver(world: World, actor: number, message: DeliverWebhook, token: string): Promise<void> {
  const ports = world.ports(actor);
  await deliverDue(ports, message, token);
  expect(ports.attempts.running).toBe(0);
}

/** SQS delivers what was sent, one message after the other, until there is none. */
async function finish(world: World): Promise<void> {
  for (let deliveries = 0; world.messages.length > 0; deliveries++) {
    if (deliveries > 50) throw new Error('messages beget messages');
    const message = world.messages.shift();
    if (!message) return;
    let isDone = false;
    const session = deliver(world, 99, message, `late-${deliveries}`).finally(() => (isDone = true));
    while (!isDone) {
      await new Promise(setImmediate);
      world.waiting.shift()?.run();
    }
    await session;
  }
}

/** Announces deliveries one after the other, as one instance of publish-event does. */
const publisher =
  (...numbers: number[]) =>
  async (world: World, actor: number): Promise<void> => {
    const ports = world.ports(actor);
    for (const n of numbers) await announce(world, ports, n);
  };

async function announce({ model }: World, ports: DispatchPorts, n: number): Promise<void> {
  const state = await ports.findState(model.of);
  await announceDeliveries(ports, [{ of: model.of, draft: model.delivery(n, at + n), state }]);
}

/** Lets the calls take effect that were made, and those that follow, until there is none: in their order, or a random one. */
async function runCalls(world: World, random = () => 0): Promise<void> {
  do {
    await new Promise(setImmediate);
    const [step] = world.waiting.splice(Math.floor(random() * world.waiting.length), 1);
    step?.run();
    await new Promise(setImmediate);
  } while (world.waiting.length > 0);
}

/** Processes the first message that is sent, as soon as it is. */
const receiver = (token: string) => async (world: World, actor: number) => {
  await world.sent.promise;
  const message = world.messages.shift();
  if (message) await deliver(world, actor, message, token);
};

/** Processes a message that names no delivery, as a timer sends it. */
const worker =
  (token: string, message?: (world: World) => DeliverWebhook) =>
  async (world: World, actor: number): Promise<void> => {
    await deliver(world, actor, message?.(world) ?? deliverMessage(world.model.of, 'fast'), token);
  };

/** Processes the message that hands delivery number `n` over. */
const namedWorker = (token: string, n: number) => async (world: World, actor: number) => {
  const delivery = world.model.delivery(n, at + n);
  await deliver(world, actor, deliverMessage(world.model.of, 'fast', [delivery]), token);
};

/** A worker at work when the others begin: it has the lease, and one delivery. */
const busyWorker = (token: string) => namedWorker(token, 0);

function expectAllDelivered(world: World, count: number, maxConcurrency = 2): void {
  const { model, posted, timers, peak } = world;
  expect(statesOf(world)).toEqual(Array.from({ length: count }, () => 'delivered'));
  expect(posted).toHaveLength(count);
  expect(model.entries.size).toBe(0);
  expect(model.currentState().lease).toBeNull();
  expect(timers).toEqual([]);
  expect(peak).toBeLessThanOrEqual(maxConcurrency);
}

/** Every order in which the calls of the actors can take effect. */
async function everyOrder(
  run: (choose: (waiting: readonly number[]) => number) => Promise<void>,
): Promise<number> {
  let path: number[] = [];
  for (let orders = 1; ; orders++) {
    const widths: number[] = [];
    await run((waiting) => {
      const index = path[widths.length] ?? 0;
      widths.push(waiting.length);
      return waiting[index] ?? waiting[0] ?? 0;
    });
    const taken = widths.map((_, depth) => path[depth] ?? 0);
    let depth = widths.length - 1;
    while (depth >= 0 && (taken[depth] ?? 0) + 1 >= (widths[depth] ?? 1)) depth -= 1;
    if (depth < 0) return orders;
    path = [...taken.slice(0, depth), (taken[depth] ?? 0) + 1];
  }
}

/** A generator of pseudo-random numbers (xorshift). */
function seeded(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

const pick = (random: () => number) => (waiting: readonly number[]) =>
  waiting[Math.floor(random() * waiting.length)] ?? 0;

describe('a delivery', () => {
  it.each([
    ['its announcement and the end of a session', 100, [busyWorker('one'), publisher(1)]],
    ['its announcement and the message of the one before it', 200, [publisher(1, 2), receiver('one')]],
    ['the message that names it and another session', 400, [busyWorker('one'), namedWorker('two', 1)]],
  ] as const)('is delivered once in every order of %s', async (_, ordersMin, actors) => {
    const orders = await everyOrder(async (choose) => {
      expectAllDelivered(await interleave(actors, choose), 2);
    });
    expect(orders).toBeGreaterThan(ordersMin);
  });

  it('is delivered once in every order of its announcement and the last room of a session', async () => {
    await everyOrder(async (choose) => {
      expectAllDelivered(await interleave([publisher(1, 2), receiver('one')], choose, 1), 2, 1);
    });
  });

  it('is delivered once in orders of publishers that each remember their last message', async () => {
    for (let seed = 0; seed < 500; seed++) {
      const actors = [publisher(1, 2, 3), publisher(4, 5), receiver('one'), receiver('two')];
      expectAllDelivered(await interleave(actors, pick(seeded(seed))), 5);
    }
  });

  it('waits without a message of its own when the one before it is still in the queue', async () => {
    const world = await interleave([publisher(1, 2, 3)], () => 0);
    expectAllDelivered(world, 3);
    expect(world.sends).toBe(1);
  });

  it('is delivered once in orders of three announcements and two workers', async () => {
    for (let seed = 0; seed < 300; seed++) {
      const actors = [busyWorker('one'), publisher(1), publisher(2), worker('two'), publisher(3)];
      expectAllDelivered(await interleave(actors, pick(seeded(seed))), 4);
    }
  });

  it.each([
    ['names a new delivery', false],
    ['names a stored delivery', true],
  ])(
    'is delivered by the redelivered message when that %s and the worker dies after any of its calls',
    async (_, isStored) => {
      for (let calls = 0; ; calls++) {
        const world = newWorld(2);
        const delivery = world.model.delivery(1, at);
        if (isStored) world.model.store(delivery);
        const message = deliverMessage(world.model.of, 'fast', [isStored ? delivery.id : delivery]);
        let isDone = false;
        deliverDue(world.ports(1, calls), message, 'message').then(() => (isDone = true));
        await runCalls(world);
        world.time += 6 * 60_000;
        world.messages.push(message);
        await finish(world);
        expect(statesOf(world)).toEqual(['delivered']);
        expect(world.model.currentState().lease).toBeNull();
        if (isDone) return;
        // Posted again only where the worker died between the response and its record.
        expect(world.posted.length).toBeLessThanOrEqual(2);
      }
    },
  );

  it.each([
    ['dies after any of its calls', (world: World, calls: number) => world.ports(0, calls)],
    [
      'has an error in any of its calls',
      (world: World, calls: number) => world.ports(0, undefined, calls + 1),
    ],
  ])(
    'is delivered by the redelivered message when it is announced to a worker that %s',
    async (_, portsOf) => {
      for (let calls = 0; calls < 12; calls++) {
        for (let seed = 0; seed < 50; seed++) {
          const world = newWorld(2);
          const message = deliverMessage(world.model.of, 'fast', [world.model.delivery(0, at)]);
          deliverDue(portsOf(world, calls), message, 'message').catch(() => {});
          void publisher(1, 2)(world, 1);
          await runCalls(world, seeded(seed));
          world.time += 6 * 60_000;
          world.messages.unshift(message);
          await finish(world);
          expect(statesOf(world)).toEqual(['delivered', 'delivered', 'delivered']);
          expect([world.model.entries.size, world.model.currentState().lease]).toEqual([0, null]);
          // Posted again only where the response was not recorded, of two at the same time.
          expect(world.posted.length).toBeLessThanOrEqual(5);
        }
      }
    },
  );

  it('leaves no entry when the worker that adds it to a busy endpoint dies after any of its calls', async () => {
    for (let calls = 0; calls < 8; calls++) {
      const world = newWorld(2);
      const message = deliverMessage(world.model.of, 'fast', [world.model.delivery(0, at)]);
      world.model.acquire({ ...other, lane: 'fast' }, at);
      void deliverDue(world.ports(0, calls), message, 'message');
      await runCalls(world);
      // The other worker ends; where it was asked to look again, it leaves that to the next one.
      for (const isHandedOver of [false, true]) world.model.release('other', world.model.state, isHandedOver);
      world.messages.push(message);
      await finish(world);
      expectAllDelivered(world, 1);
    }
  });

  it('is delivered together with the next one when the message of its timer was lost', async () => {
    const world = newWorld(2);
    const retry = { ...world.model.delivery(0, at - 1000), attemptDue: 2, nextAttemptAt: at };
    world.model.addDue(world.model.store(retry));
    world.model.state = { ...world.model.state, wakeAt: at };
    world.model.wakes.add(at);
    await Promise.all([namedWorker('one', 1)(world, 0), runCalls(world)]);
    expectAllDelivered(world, 2);
    expect(world.model.wakes.size).toBe(0);
  });

  it('is delivered once in orders of two messages that both have it', async () => {
    for (let seed = 0; seed < 500; seed++) {
      const actors = [namedWorker('one', 0), namedWorker('two', 0), publisher(0), publisher(1)];
      expectAllDelivered(await interleave(actors, pick(seeded(seed))), 2);
    }
  });

  it('is retried once in orders of two messages that both have it when its first attempt fails', async () => {
    for (let seed = 0; seed < 500; seed++) {
      const first = async (world: World, actor: number) => {
        world.statusOf = () => 500;
        await namedWorker('one', 0)(world, actor);
      };
      const world = await interleave([first, namedWorker('two', 0)], pick(seeded(seed)));
      expect(world.posted).toHaveLength(1);
      expect([...world.model.deliveries.values()]).toMatchObject([{ state: 'pending', attemptDue: 2 }]);
      expect(world.model.entries.size).toBe(1);
      expect(world.model.state).toMatchObject({ lease: null, wakeAt: expect.any(Number) });
    }
  });

  it('is delivered once when its publisher dies after any of its calls and the event is published again', async () => {
    for (const isBusy of [false, true]) {
      for (let calls = 0, isDone = false; !isDone; calls++) {
        const world = newWorld(2);
        if (isBusy) world.model.acquire({ ...other, lane: 'slow' }, at - 30_000);
        const publish = async (crashAfter?: number) => {
          await announce(world, world.ports(0, crashAfter), 1);
          isDone = true;
        };
        void publish(calls);
        await runCalls(world);
        await Promise.all([publish(), runCalls(world)]);
        world.time += 6 * 60_000;
        // The message of the worker that held the lease, if there was one.
        world.messages.push(deliverMessage(world.model.of, 'fast'));
        await finish(world);
        expectAllDelivered(world, 1);
      }
    }
  });

  it('waits with a timer when its first attempt fails', async () => {
    const world = newWorld(2);
    world.statusOf = () => 500;
    await Promise.all([namedWorker('one', 0)(world, 0), runCalls(world)]);
    expect([...world.model.deliveries.values()]).toMatchObject([{ state: 'pending', attemptDue: 2 }]);
    expect(world.model.entries.size).toBe(1);
    expect(world.timers).toHaveLength(1);
    expect([...world.model.wakes]).toEqual([world.model.state.wakeAt]);
  });

  it('waits with a timer in orders of its failed attempt and the look of its session after another one', async () => {
    for (let seed = 0; seed < 500; seed++) {
      const world = newWorld(2);
      world.statusOf = ({ id }) => (numberOf(id) === 0 ? 200 : 500);
      const [waiting, named] = [world.model.delivery(0, at), world.model.delivery(1, at + 1)];
      world.model.addDue(world.model.store(waiting));
      const ports = world.ports(0);
      const slow: DispatchPorts = {
        ...ports,
        // The answer takes as long as another call.
        async listDue(of, limit) {
          const listed = await ports.listDue(of, limit);
          await ports.findState(of);
          return listed;
        },
      };
      const session = deliverDue(slow, deliverMessage(world.model.of, 'fast', [named]), 'one');
      await Promise.all([session, runCalls(world, seeded(seed))]);
      expect(statesOf(world)).toEqual(['delivered', 'pending']);
      expect(world.model.entries.size).toBe(1);
      expect(world.timers.length).toBeGreaterThan(0);
      expect([...world.model.wakes]).toEqual([world.model.state.wakeAt]);
    }
  });

  it('waits in the table when other endpoints have all of the function, and another message follows', async () => {
    const world = newWorld(2);
    const full: DispatchPorts = {
      ...world.ports(0),
      attempts: { running: 1, max: 1, bodyBytes: 0, bodyBytesMax: 1 },
      async pause(ms) {
        world.time += ms;
      },
    };
    const message = deliverMessage(world.model.of, 'fast', [world.model.delivery(0, at)]);
    await Promise.all([deliverDue(full, message, 'one'), runCalls(world)]);
    expect([world.posted, world.model.entries.size, world.sends]).toEqual([[], 1, 1]);
    await finish(world);
    expectAllDelivered(world, 1);
  });

  it('waits with a timer in orders of its failed attempt and another announcement', async () => {
    for (let seed = 0; seed < 300; seed++) await failBesideAnother(pick(seeded(seed)));
  });
});

/** In the order of their numbers. */
const statesOf = ({ model }: World): string[] =>
  [...model.deliveries.values()].sort((a, b) => numberOf(a.id) - numberOf(b.id)).map(({ state }) => state);

/** The first delivery fails, the second one succeeds. */
async function failBesideAnother(choose: (waiting: readonly number[]) => number): Promise<void> {
  const first = async (world: World, actor: number) => {
    world.statusOf = ({ id }) => (numberOf(id) === 0 ? 500 : 200);
    await busyWorker('one')(world, actor);
  };
  const world = await interleave([first, publisher(1)], choose);
  expect(statesOf(world)).toEqual(['pending', 'delivered']);
  expect(world.model.entries.size).toBe(1);
  expect(world.timers.length).toBeGreaterThan(0);
  expect(world.model.state.wakeAt).not.toBeNull();
  expect([...world.model.wakes]).toEqual([world.model.state.wakeAt]);
}

/** The last session has ended with the record of delivery 0, without a release. */
async function endWithRecord(world: World): Promise<void> {
  await Promise.all([namedWorker('zero', 0)(world, 0), runCalls(world)]);
  expect(world.model.state).toMatchObject({ sessions: 1, lease: { token: 'zero' } });
}

/** The same, without the calls. */
function afterRecord({ model, posted }: World): void {
  const draft = model.delivery(0, at);
  model.acquire({ token: 'zero', lane: 'fast', endsWith: draft, idleAfter: null }, at);
  model.store({ ...draft, state: 'delivered', nextAttemptAt: null, attemptDue: 2, endedSession: 1 });
  posted.push(draft.id);
}

function setHealth({ model }: World, health: Partial<Health>): void {
  model.state = { ...model.state, health: { ...model.state.health, ...health } };
}

describe('a session that ends with the record of its delivery', () => {
  it('needs two writes and one read, and so does the next one', async () => {
    const world = newWorld(2);
    await endWithRecord(world);
    expect(world.calls).toEqual(['acquireLease', 'load', 'post', 'record']);
    world.calls = [];
    await Promise.all([publisher(1)(world, 1), receiver('one')(world, 2), runCalls(world)]);
    const announced = ['findState', 'findDelivery', 'send'];
    expect(world.calls).toEqual([...announced, 'acquireLease', 'load', 'post', 'record']);
    expect(world.model.state).toMatchObject({ sessions: 2, lease: { token: 'one' } });
    expectAllDelivered(world, 2);
  });

  it.each([
    ['an announcement and a message of a timer', 15, [publisher(1), worker('one')]],
    ['an announcement and a message that names a delivery', 100, [publisher(1), namedWorker('one', 2)]],
  ] as const)('keeps nobody from the endpoint in every order of %s', async (_, ordersMin, actors) => {
    const orders = await everyOrder(async (choose) => {
      const world = await interleave(actors, choose, 2, afterRecord);
      expectAllDelivered(world, new Set(world.posted).size);
    });
    expect(orders).toBeGreaterThan(ordersMin);
  });

  it.each([
    ['announcements and their messages', [publisher(1, 2), publisher(3), receiver('one'), receiver('two')]],
    ['its repeated message and others', [namedWorker('zero', 0), namedWorker('one', 1), publisher(2)]],
    ['two messages that name deliveries', [namedWorker('one', 1), namedWorker('two', 2)]],
  ] as const)('keeps nobody from the endpoint in orders of %s', async (_, actors) => {
    for (let seed = 0; seed < 500; seed++) {
      const world = await interleave(actors, pick(seeded(seed)), 2, afterRecord);
      expectAllDelivered(world, new Set(world.posted).size);
    }
  });

  it('keeps nobody from the endpoint when its delivery is replayed', async () => {
    const world = newWorld(2);
    await endWithRecord(world);
    const { model } = world;
    const replay = { ...model.delivery(0, at), endedSession: 1, replay: 1 };
    model.deliveries.set(replay.id, replay);
    world.messages.push(deliverMessage(model.of, 'fast', [replay.id]));
    await finish(world);
    expect(statesOf(world)).toEqual(['delivered']);
    expect(world.posted).toHaveLength(2);
    expect(model.currentState().lease).toBeNull();
  });

  it('looks at the entries of a worker that died when it is announced to its lease', async () => {
    const actors = [publisher(1), receiver('one')];
    const world = await interleave(
      actors,
      ([first = 0]) => first,
      2,
      ({ model }) => {
        model.acquire({ ...other, lane: 'fast' }, at - 120_000);
        model.addDue(model.store(model.delivery(0, at)));
      },
    );
    expectAllDelivered(world, 2);
  });

  it('releases its lease when its message names two deliveries', async () => {
    const world = newWorld(2);
    const { model } = world;
    const message = deliverMessage(model.of, 'fast', [model.delivery(0, at), model.delivery(1, at)]);
    await Promise.all([deliver(world, 0, message, 'one'), runCalls(world)]);
    expectAllDelivered(world, 2);
    expect(model.state.lease).toBeNull();
  });

  it('releases its lease with its timer when one has fired', async () => {
    const world = newWorld(2);
    const { model } = world;
    model.state = { ...model.state, wakeAt: at };
    model.wakes.add(at);
    await Promise.all([namedWorker('one', 0)(world, 0), runCalls(world)]);
    expect(model.state).toMatchObject({ lease: null, wakeAt: null });
    expect(model.wakes.size).toBe(0);
  });

  it.each([
    ['the endpoint failed before', (world: World) => setHealth(world, { failures: 1 }), { failures: 0 }],
    ['its answer is slow', (world: World) => Object.assign(world, { answerMs: 3000 }), { lane: 'slow' }],
  ])('releases its lease with the health when %s', async (_, prepare, health) => {
    const world = newWorld(2);
    prepare(world);
    await Promise.all([namedWorker('one', 0)(world, 0), runCalls(world)]);
    expect(world.model.state).toMatchObject({ lease: null, health });
  });

  it.each([
    ['an announcement', 2000, [namedWorker('one', 0), publisher(1)]],
    ['others', 500, [namedWorker('one', 0), publisher(1), publisher(2), worker('two'), publisher(3)]],
  ] as const)(
    'goes on when it has found work during its attempt, in orders of %s',
    async (_, seeds, actors) => {
      for (let seed = 0; seed < seeds; seed++) {
        const polling = (world: World) => Object.assign(world, { polls: true });
        const world = await interleave(actors, pick(seeded(seed)), 2, polling);
        expectAllDelivered(world, new Set(world.posted).size);
      }
    },
  );
});

describe('a session', () => {
  it('leaves its own timer only, in orders of its failed attempt and a message that calls for another look', async () => {
    for (let seed = 0; seed < 100; seed++) {
      const first = async (world: World, actor: number) => {
        world.statusOf = () => 500;
        const fired = at - 1;
        world.model.state = { ...world.model.state, wakeAt: fired };
        world.model.wakes.add(fired);
        await busyWorker('one')(world, actor);
      };
      const world = await interleave([first, worker('two')], pick(seeded(seed)));
      expect([...world.model.wakes]).toEqual([world.model.state.wakeAt]);
    }
  });

  it('never runs more than max_concurrency attempts when many workers are called', async () => {
    for (let seed = 0; seed < 100; seed++) {
      const actors = [
        busyWorker('one'),
        ...[1, 2, 3, 4, 5].map((n) => publisher(n)),
        worker('two'),
        worker('three', (world) => deliverMessage(world.model.of, 'slow')),
      ];
      expectAllDelivered(await interleave(actors, pick(seeded(seed)), 1), 6, 1);
    }
  });
});
