/** Sessions that end with the record of their delivery, without a release (docs/decisions/0063-the-record-of-a-delivery-ends-its-session.md). */
import { describe, expect, it } from 'vitest';
import type { Health } from '../../../lib/core/webhooks/health.ts';
import { deliverMessage } from '../../../lib/services/webhooks/announce-delivery.ts';
import {
  at,
  deliver,
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
