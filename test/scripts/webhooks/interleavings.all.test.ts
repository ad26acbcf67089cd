/** The protocol of dispatch in all orders and deaths (docs/decisions/0066-webhooks-on-fair-queues.md): nothing is lost, nothing exceeds max_concurrency. */
import { describe, expect, it } from 'vitest';
import { newHealth } from '../../../lib/core/webhooks/health.ts';
import { announceDeliveries } from '../../../lib/services/webhooks/announce-deliveries.ts';
import { deliverTogether } from '../../../lib/services/webhooks/deliver-batch.ts';
import {
  afterDeath,
  everyOrder,
  finish,
  interleave,
  newWorld,
  pick,
  publisher,
  seeded,
  startMs,
  statesOf,
  type World,
  waitingPublisher,
  worker,
} from './interleave.ts';

const delivered = (count: number) => Array.from({ length: count }, () => 'delivered');

function expectIdle(world: World, count: number, maxConcurrency: number): void {
  const { model, peak } = world;
  expect(statesOf(world)).toEqual(delivered(count));
  expect(model.entries.size).toBe(0);
  expect(model.state).toMatchObject({ inUse: 0, backlog: null });
  expect(model.state.holders.size).toBe(0);
  expect(peak).toBeLessThanOrEqual(maxConcurrency);
}

describe('a publisher and a worker that returns its units', () => {
  it('leave no delivery behind in any order', async () => {
    const orders = await everyOrder(async (choose) => {
      const world = newWorld(1);
      await interleave(world, [publisher([0, 1])]);
      // Number 2 finds a backlog, and waits.
      world.model.store([world.model.delivery(5, startMs)]);
      world.model.addWaiting([world.model.delivery(5, startMs)]);
      world.model.markBacklog();
      await interleave(world, [worker(2), publisher([2])], choose);
      await finish(world);
      expectIdle(world, 4, 1);
      expect([...world.posted].sort()).toEqual([0, 1, 2, 5]);
    });
    expect(orders).toBeGreaterThan(100);
  });
});

describe('two workers', () => {
  it.each([1, 2, 3])('stay within max_concurrency %i, whose units they share', async (maxConcurrency) => {
    const orders = { tried: 0 };
    for (let seed = 1; seed <= 300; seed++) {
      const world = newWorld(maxConcurrency);
      await interleave(world, [publisher([0, 1, 2, 3])]);
      await interleave(world, [worker(2), worker(2), publisher([4])], pick(seeded(seed)));
      await finish(world);
      expectIdle(world, 5, maxConcurrency);
      expect(world.posted).toHaveLength(5);
      orders.tried += 1;
    }
    expect(orders.tried).toBe(300);
  });
});

describe('two workers that find that nothing waits any more', () => {
  it('do not remove the mark of a delivery that begins to wait then, in any order', async () => {
    for (let seed = 1; seed <= 500; seed++) {
      const world = newWorld(1);
      world.model.markBacklog();
      const resume = { kind: 'resume-endpoint', v: 1, ...world.model.of } as const;
      world.messages.push(resume, resume);
      await interleave(world, [worker(1), worker(1), waitingPublisher(0)], pick(seeded(seed)));
      await finish(world);
      expectIdle(world, 1, 1);
    }
  });
});

describe('time that passes while a batch is divided', () => {
  it('does not lose the delivery that may be attempted from then on', async () => {
    const world = newWorld(1);
    const closed = { ...newHealth, failures: 5, failingSince: startMs, nextProbeAt: startMs + 1002 };
    const state = { ...world.model.state, health: closed, healthVersion: 1 };
    world.model.state = state;
    const draft = world.model.delivery(0, startMs);
    const ports = { ...world.ports(0), now: () => world.time++ };
    await interleave(world, [() => announceDeliveries(ports, [{ of: world.model.of, draft, state }])]);
    expect(world.messages.length + world.model.entries.size).toBe(1);
  });

  it('does not lose the delivery that is overdue from then on', async () => {
    const world = newWorld(1);
    await interleave(world, [publisher([0, 1])]);
    // Number 0 is overdue; number 1 is a millisecond later.
    world.time = startMs + 24 * 3_600_000 + 60_000;
    const batch = world.messages.splice(0);
    const ports = { ...world.ports(0), now: () => world.time };
    const record: typeof ports.record = async (...args) => {
      world.time += 50;
      await ports.record(...args);
    };
    await interleave(world, [() => deliverTogether({ ...ports, record }, world.model.of, batch)]);
    await finish(world);
    expect(statesOf(world)).not.toContain('pending');
    expect(statesOf(world)).toHaveLength(2);
  });
});

describe('an endpoint whose max_concurrency is lowered while units are held', () => {
  it('gets no further attempt over these', async () => {
    const world = newWorld(2);
    await interleave(world, [publisher([0, 1, 2, 3, 4, 5])]);
    const { found } = world.model;
    world.statusOf = () => {
      if (found) world.model.found = { ...found, endpoint: { ...found.endpoint, maxConcurrency: 1 } };
      world.peak = 0;
      return 200;
    };
    await interleave(world, [worker(6)]);
    expect(world.posted).toHaveLength(2);
    await finish(world);
    expectIdle(world, 6, 1);
  });
});

describe('a worker that dies', () => {
  it.each(Array.from({ length: 12 }, (_, calls) => calls))('after %i calls loses nothing', async (calls) => {
    const world = newWorld(2);
    await interleave(world, [publisher([0, 1, 2])]);
    await interleave(world, [worker(2, calls), publisher([3])], pick(seeded(calls + 1)));
    // Others come before SQS repeats its messages.
    await interleave(world, [publisher([4])]);
    afterDeath(world);
    await finish(world);
    expectIdle(world, 5, 2);
    // Only what was not recorded is posted again.
    expect(world.posted.length).toBeLessThanOrEqual(7);
  });
});

describe('publishers and workers in any order, some of which die, at an endpoint that fails at times and is changed', () => {
  it.each([1, 2, 3])('lose nothing within max_concurrency %i, and leave no mark', async (maxConcurrency) => {
    for (let seed = 1; seed <= 100; seed++) {
      const random = seeded(seed * 7919);
      const upTo = (count: number) => Math.floor(random() * count);
      const world = newWorld(maxConcurrency);
      world.statusOf = () => (random() < 0.4 ? 500 : 200);
      const { found } = world.model;
      if (random() < 0.5) world.model.state = { ...world.model.state, health: newHealth };
      for (let round = 0; round < 4; round++) {
        const change = { enabled: random() < 0.9, maxConcurrency: 1 + upTo(maxConcurrency) };
        if (found) world.model.found = { ...found, endpoint: { ...found.endpoint, ...change } };
        const crash = () => (random() < 0.4 ? upTo(12) : undefined);
        const numbers = [0, 1, 2, 3].map((n) => 4 * round + n);
        world.messages.push(...world.messages.filter(() => random() < 0.3));
        const workers = [1, 2, 3].map(() => worker(1 + upTo(4), crash()));
        await interleave(
          world,
          [publisher(numbers), ...workers, waitingPublisher(100 + round)],
          pick(random),
        );
        if (random() < 0.5) await finish(world, 1 + upTo(10));
        afterDeath(world);
      }
      await finish(world, 3);
      const left = statesOf(world).filter((state) => state === 'pending');
      expect([seed, left, world.model.entries.size]).toEqual([seed, [], 0]);
      expect(statesOf(world)).toHaveLength(20);
      expect(world.model.state).toMatchObject({ inUse: 0, backlog: null });
      expect(world.peak).toBeLessThanOrEqual(maxConcurrency);
    }
  });
});

describe('a publisher that dies', () => {
  it.each(Array.from({ length: 6 }, (_, calls) => calls))('after %i calls is repeated', async (calls) => {
    for (const isBusy of [false, true]) {
      const world = newWorld(1);
      if (isBusy) world.model.markBacklog();
      await interleave(world, [publisher([0], calls)]);
      await interleave(world, [publisher([0])]);
      await finish(world);
      expect(statesOf(world)).toEqual(delivered(1));
      expect(world.model.state).toMatchObject({ inUse: 0, backlog: null });
    }
  });
});

describe('a closed endpoint', () => {
  const closed = { ...newHealth, failures: 5, failingSince: startMs, nextProbeAt: startMs + 30_000 };

  /** Closed with a timer for its probe, and deliveries that wait. */
  function closedWorld(waiting: readonly number[]): World {
    const world = newWorld(2);
    world.model.state = { ...world.model.state, health: closed, healthVersion: 1 };
    world.timers.push({
      message: { kind: 'resume-endpoint', v: 1, ...world.model.of },
      dueAt: closed.nextProbeAt,
    });
    const deliveries = waiting.map((n) => world.model.delivery(n, startMs + n));
    world.model.store(deliveries);
    world.model.addWaiting(deliveries);
    if (deliveries.length > 0) world.model.markBacklog();
    return world;
  }

  it('gets one attempt for each probe time, and everything once one succeeds', async () => {
    const world = closedWorld([0, 1, 2, 3, 4]);
    const attempts: number[] = [];
    world.statusOf = () => {
      attempts.push(world.time);
      return attempts.length <= 3 ? 500 : 200;
    };
    await finish(world);
    expectIdle(world, 5, 2);
    const waits = attempts.slice(0, 4).map((at, index) => at - (attempts[index - 1] ?? startMs));
    expect(waits).toEqual([30_000, 60_000, 120_000, 240_000]);
  });

  it.each(Array.from({ length: 12 }, (_, calls) => calls))(
    'is probed again when the worker of its probe dies after %i calls',
    async (calls) => {
      const world = closedWorld([0, 1]);
      world.time = closed.nextProbeAt;
      world.messages.push(...world.timers.splice(0).flatMap(({ message }) => message as never));
      await interleave(world, [worker(1)]);
      await interleave(world, [worker(1, calls)]);
      await interleave(world, [publisher([2])]);
      afterDeath(world);
      await finish(world);
      expectIdle(world, 3, 2);
    },
  );

  it.each(['the timer', 'the probe'])(
    'is revived by the next event when the message of %s is in the dead-letter queue',
    async (lost) => {
      const world = closedWorld([0, 1]);
      const [timer] = world.timers.splice(0);
      world.time = closed.nextProbeAt;
      const dead: World['messages'] = [];
      if (lost === 'the probe' && timer) {
        world.messages.push(timer.message as never);
        await interleave(world, [worker(1)]);
        dead.push(...world.messages.splice(0));
        expect(dead).toMatchObject([{ kind: 'deliver-webhook' }]);
      }
      await finish(world);
      expect(world.posted).toEqual([]);
      world.time += 3_600_000;
      await interleave(world, [publisher([2])]);
      await finish(world);
      expect(world.posted).toEqual(lost === 'the probe' ? [1, 2] : [0, 1, 2]);
      // The operator sends it again.
      world.messages.push(...dead);
      await finish(world);
      expectIdle(world, 3, 2);
    },
  );

  it('lets a new delivery be the probe when nothing has waited', async () => {
    const world = closedWorld([]);
    await finish(world);
    expect(world.posted).toEqual([]);
    world.time += 3_600_000;
    world.statusOf = () => 500;
    await interleave(world, [publisher([0, 1, 2])]);
    await interleave(world, [worker(3)]);
    expect(world.posted).toEqual([0]);
    world.statusOf = () => 200;
    await finish(world);
    expectIdle(world, 3, 2);
  });

  it('gets what begins to wait while the probe finds nothing, in any order', async () => {
    await everyOrder(async (choose) => {
      const world = closedWorld([]);
      // The mark of a delivery that is done.
      world.model.markBacklog();
      world.time = closed.nextProbeAt - 1;
      world.messages.push(...world.timers.splice(0).flatMap(({ message }) => message as never));
      await interleave(world, [worker(1), publisher([0])], choose);
      await finish(world);
      expectIdle(world, 1, 2);
    });
  });

  it('opens with the success of an attempt that began before it was closed', async () => {
    const world = newWorld(2);
    await interleave(world, [publisher([0])]);
    world.statusOf = () => {
      world.model.state = { ...world.model.state, health: closed, healthVersion: 1 };
      return 200;
    };
    await interleave(world, [worker(1)]);
    expect(world.model.state.health).toMatchObject({ failures: 0, nextProbeAt: null });
  });

  it('costs neither attempts nor messages for a hundred new deliveries', async () => {
    const world = closedWorld([0]);
    await interleave(world, [publisher(Array.from({ length: 100 }, (_, n) => n + 1))]);
    expect(world.messages).toEqual([]);
    expect(world.posted).toEqual([]);
    expect(world.model.entries.size).toBe(101);
  });
});

describe('a new endpoint that fails', () => {
  it('is closed by five attempts however many deliveries there are', async () => {
    const world = newWorld(16);
    world.model.state = { ...world.model.state, health: newHealth };
    world.statusOf = () => 500;
    await interleave(world, [publisher(Array.from({ length: 40 }, (_, n) => n))]);
    await interleave(world, [worker(10), worker(10), worker(10), worker(10)], pick(seeded(7)));
    expect(world.posted).toHaveLength(5);
    expect(world.peak).toBe(5);
    expect(world.model.state.health.failures).toBe(5);
    expect(world.model.entries.size).toBe(35);
  });
});
