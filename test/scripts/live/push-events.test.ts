/** What live connections are sent: each event once and in order, whatever enters late, is repeated, dies or takes nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connectionsMax, failuresMax, pageOfTurn, rememberedMax } from '../../../lib/core/live/connection.ts';
import { randomCases } from '../../support/random-cases.ts';
import { createWorld, type World } from './live-world.ts';

const every = { types: [], labels: [], space: null } as const;

/** The only client, connected and subscribed. */
async function subscribed(world = createWorld()) {
  const [client] = world.clients;
  if (!client) throw new Error('no client');
  world.connect(client);
  await world.drain();
  return { world, client };
}

function publishMany(world: World, count: number) {
  return Array.from({ length: count }, () => {
    world.pass(1);
    return world.publish(0);
  });
}

describe('a live connection', () => {
  it('is sent events from now on, each once and in order, after `subscribed`', async () => {
    const world = createWorld();
    world.publish(0);
    const { client } = await subscribed(world);
    expect(world.frames).toEqual([{ name: 'client 0', type: 'subscribed' }]);
    const ids = publishMany(world, 35);
    await world.drain();
    expect(client.received).toEqual(ids);
  });

  it('is sent an event that enters the log late when it enters, however late', async () => {
    const { world, client } = await subscribed();
    const first = world.publish(0);
    await world.drain();
    const late = [world.publish(10_000), world.publish(3_600_000)];
    await world.drain();
    expect(client.received).toEqual([first, ...late.toSorted()]);
  });

  it('reads the log from `after` page by page, then goes on, when there is one event more than a page', async () => {
    const { world, client } = await subscribed();
    const known = world.publish(0);
    await world.drain();
    world.lose(client);
    world.pass(1);
    const missed = publishMany(world, pageOfTurn + 1);
    await world.drain();
    world.connect(client);
    // Announced while it reads.
    await world.turn();
    const meanwhile = publishMany(world, 3);
    await world.drain();
    const now = publishMany(world, 2);
    await world.drain();
    const all = [known, ...missed, ...meanwhile, ...now];
    // The client has asked for the minute before.
    expect(client.received).toEqual([known, ...all]);
  });

  it('is not sent again what it has read when the announcement comes after', async () => {
    const { world, client } = await subscribed();
    const known = world.publish(0);
    await world.drain();
    world.lose(client);
    world.connect(client);
    const between = world.publish(0, { twice: true });
    await world.drain();
    expect(client.received).toEqual([known, known, between]);
  });

  it.each([0, 1, 20])(
    'goes on reading where it was when it takes %i messages and then none for a while',
    async (takes) => {
      const { world, client } = await subscribed();
      const known = world.publish(0);
      await world.drain();
      world.lose(client);
      world.pass(1);
      const missed = publishMany(world, pageOfTurn + 10);
      await world.drain();
      world.connect(client);
      world.setBusy(client, true, takes);
      await world.turn();
      world.setBusy(client, false);
      await world.drain();
      expect(client.received).toEqual([known, known, ...missed]);
      expect(client.isSubscribed).toBe(true);
    },
  );

  it('is sent an event that enters the log behind it while it reads', async () => {
    const { world, client } = await subscribed();
    const known = world.publish(0);
    await world.drain();
    world.lose(client);
    world.pass(1);
    const missed = publishMany(world, 2 * pageOfTurn);
    await world.drain();
    world.connect(client);
    await world.turn();
    expect(client.received).toHaveLength(1 + pageOfTurn);
    const late = world.publish(missed.length);
    await world.drain();
    // Announced behind the message that reads the second page.
    const inOrder = [...missed.slice(0, 2 * pageOfTurn - 1), late, ...missed.slice(2 * pageOfTurn - 1)];
    expect(client.received).toEqual([known, known, ...inOrder]);
  });

  it('remembers what it has read for five minutes', async () => {
    const { world, client } = await subscribed();
    world.publish(0);
    await world.drain();
    world.lose(client);
    world.connect(client);
    await world.drain();
    expect(world.progressOf(client)?.sent).toHaveLength(1);
    world.pass(299_000);
    world.publish(0);
    await world.drain();
    expect(world.progressOf(client)?.sent).toHaveLength(1);
    world.pass(1000);
    world.publish(0);
    await world.drain();
    expect(world.progressOf(client)?.sent).toEqual([]);
    expect(client.received).toHaveLength(4);
  });

  it('is sent what it did not take a second later, in order', async () => {
    const { world, client } = await subscribed();
    world.setBusy(client, true);
    const missed = publishMany(world, 3);
    await world.turn();
    world.setBusy(client, false);
    const next = publishMany(world, 2);
    await world.drain();
    expect(client.received).toEqual([...missed, ...next]);
  });

  it('is ended when it takes nothing for ten turns, or has one event too many waiting', async () => {
    const { world, client } = await subscribed();
    world.setBusy(client, true);
    world.publish(0);
    await world.drain();
    expect(client.connectionId).toBeNull();

    const other = await subscribed();
    other.world.setBusy(other.client, true);
    publishMany(other.world, rememberedMax);
    for (let turns = 0; turns < rememberedMax / 10; turns++) await other.world.turn();
    expect(other.client.connectionId).not.toBeNull();
    other.world.publish(0);
    await other.world.turn();
    expect(other.client.connectionId).toBeNull();
    expect(failuresMax).toBe(10);
  });

  it('is told and ended when its key or session has ended, and is sent nothing more', async () => {
    const { world, client } = await subscribed();
    world.revoke(client);
    world.publish(0);
    await world.drain();
    expect(world.frames.at(-1)).toEqual({ name: 'client 0', type: 'closed' });
    expect(client.received).toEqual([]);
    expect(client.connectionId).toBeNull();
  });

  it('does not delay others when it is lost or takes nothing', async () => {
    const world = createWorld(Array.from({ length: connectionsMax }, () => every));
    for (const client of world.clients) world.connect(client);
    await world.drain();
    const [lost, busy, ...others] = world.clients;
    if (!lost || !busy) throw new Error('no clients');
    world.lose(lost);
    world.setBusy(busy, true);
    const ids = publishMany(world, 12);
    await world.turn();
    await world.turn();
    for (const client of others) expect(client.received).toEqual(ids);
  });

  it('has only what it has subscribed to', async () => {
    const world = createWorld([{ ...every, types: ['email.received'] }]);
    const { client } = await subscribed(world);
    world.publish(0);
    const wanted = world.publish(0, { type: 'email.received' });
    await world.drain();
    expect(client.received).toEqual([wanted]);
  });
});

type Step =
  | { readonly do: 'publish'; readonly ago: number; readonly twice: boolean }
  | { readonly do: 'turn'; readonly diesAt: number | undefined }
  | { readonly do: 'reconnect' | 'lose' | 'busy' | 'ready'; readonly client: number }
  | { readonly do: 'pass'; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('publish' as const),
      ago: fc.constantFrom(0, 0, 0, 9_000, 120_000),
      twice: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('turn' as const),
      diesAt: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
    }),
  },
  fc.record({
    do: fc.constantFrom('reconnect' as const, 'lose' as const, 'busy' as const, 'ready' as const),
    client: fc.nat(2),
  }),
  fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1, 50, 1000, 5000) }),
);

/** Runs steps; then every client takes events again, connected if it is not. */
async function run(steps: readonly Step[]): Promise<World> {
  const world = createWorld([every, every, every]);
  for (const client of world.clients) world.connect(client);
  await world.drain();
  // A resumption needs an event to begin with.
  world.publish(0);
  await world.drain();
  for (const one of steps) {
    const client = 'client' in one ? world.clients[one.client] : undefined;
    if (one.do === 'publish') world.publish(one.ago, { twice: one.twice });
    else if (one.do === 'turn') await world.turn(one.diesAt);
    else if (one.do === 'pass') world.pass(one.ms);
    else if (client && one.do === 'lose') world.lose(client);
    else if (client && one.do === 'reconnect') {
      if (client.connectionId === null) world.connect(client);
    } else if (client) world.setBusy(client, one.do === 'busy');
  }
  for (const client of world.clients) {
    world.setBusy(client, false);
    if (client.connectionId === null) world.connect(client);
  }
  await world.drain();
  for (const client of world.clients) if (client.connectionId === null) world.connect(client);
  await world.drain();
  return world;
}

describe('live connections', () => {
  it('lose nothing that enters the log within a minute, in any order of events, turns, deaths and lost connections', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
        const inTime = steps.map((one) =>
          one.do === 'publish' && one.ago > 60_000 ? { ...one, ago: 0 } : one,
        );
        const world = await run(inTime);
        for (const { received } of world.clients) {
          expect([...new Set(received)].toSorted()).toEqual(world.entered.toSorted());
        }
      }),
      randomCases(150),
    );
  });

  it('are sent each event once where no worker dies and no connection is lost, however late events enter', async () => {
    const calm = step.filter(
      (one) =>
        !['lose', 'reconnect', 'busy'].includes(one.do) && (one.do !== 'turn' || one.diesAt === undefined),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(calm, { minLength: 5, maxLength: 60 }), async (steps) => {
        const single = steps.map((one) => (one.do === 'publish' ? { ...one, twice: false } : one));
        const world = await run(single);
        for (const { received } of world.clients) {
          expect(received.toSorted()).toEqual(world.entered.toSorted());
        }
      }),
      randomCases(100),
    );
  });
});
