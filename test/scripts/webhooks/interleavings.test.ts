/** The dispatch of deliveries when workers and publishers run at the same time: no delivery is lost, none is made twice. */
import { describe, expect, it } from 'vitest';
import { deliverMessage } from '../../../lib/services/webhooks/announce-delivery.ts';
import { deliverDue } from '../../../lib/services/webhooks/deliver-due.ts';
import type { DispatchPorts } from '../../../lib/services/webhooks/dispatch-ports.ts';
import { numberOf } from '../../../scripts/webhooks/memory-deliveries.ts';
import {
  announce,
  at,
  busyWorker,
  everyOrder,
  expectAllDelivered,
  finish,
  interleave,
  namedWorker,
  newWorld,
  other,
  pick,
  publisher,
  receiver,
  runCalls,
  seeded,
  statesOf,
  type World,
  worker,
} from './interleave.ts';

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
