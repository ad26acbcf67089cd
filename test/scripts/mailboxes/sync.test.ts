/** The synchronization of one mailbox in memory: workers that die at any port, gaps, and orders of messages. */
import { describe, expect, it } from 'vitest';
import { composeId, type MailboxId } from '../../../lib/core/ids.ts';
import { ProviderError, type ProviderFailure } from '../../../lib/core/mailboxes/provider.ts';
import { syncMailbox } from '../../../lib/services/mailboxes/sync-mailbox.ts';
import { type MailboxWorld, memoryMailbox } from '../../../scripts/mailboxes/memory-mailbox.ts';

const mailboxId = composeId('mbx', 1, new Uint8Array(10));
const workspaceId = composeId('wks', 1, new Uint8Array(10));
const minute = 60_000;

class Killed extends Error {}

/** A mailbox with its queue: messages are delivered in order, and again where the worker dies. */
function newWorld(options: { hasPush?: boolean; backfillSince?: number; callMs?: number } = {}) {
  let now = 1_700_000_000_000;
  const queue: { at: number; wakeAt: number | null; token: string }[] = [];
  let tokens = 0;
  let killAt = -1;
  let ports = 0;
  /** A dead worker calls nothing any more. */
  let isDead = false;
  /** Of our own, at the port. */
  const broken = new Set<string>();
  const failing: ProviderFailure[] = [];
  /** Numbers of the listings that fail. */
  const failingLists = new Map<number, ProviderFailure>();
  let lists = 0;
  const calls: string[] = [];
  const world: MailboxWorld = {
    now: () => now,
    random: () => 0.5,
    call(what) {
      if (isDead) throw new Killed();
      now += options.callMs ?? 0;
      calls.push(what);
      if (what === 'listSince') lists += 1;
      const failure = failing.shift() ?? (what === 'listSince' && failingLists.get(lists));
      if (failure) throw new ProviderError(failure, failure);
    },
    schedule(_: MailboxId, at) {
      queue.push({ at: at ?? now, wakeAt: at, token: String(++tokens) });
    },
    onPort(name) {
      ports += 1;
      if (ports === killAt) isDead = true;
      if (isDead) throw new Killed();
      if (broken.has(name)) throw new Error('The expression can not be empty.');
    },
  };
  const backfillSince = options.backfillSince ?? null;
  const box = memoryMailbox(mailboxId, world, { hasPush: options.hasPush ?? true, backfillSince });
  const deliver = async (entry: (typeof queue)[number]) => {
    const message = { kind: 'sync-mailbox', v: 1, workspaceId, mailboxId, wakeAt: entry.wakeAt } as const;
    isDead = false;
    try {
      await syncMailbox(box.ports, message, entry.token);
    } catch {
      // The lease of a dead worker ends before SQS has given up.
      queue.push({ ...entry, at: now + minute });
    }
  };
  return {
    box,
    calls,
    broken,
    failing,
    failingLists,
    ask: () => world.schedule(mailboxId, null),
    kill: (port: number) => {
      killAt = port;
      ports = 0;
    },
    ports: () => ports,
    mail: (count: number) => box.mail.push(...Array.from({ length: count }, () => now)),
    /** Runs what is due until a time from now. */
    async run(minutes: number) {
      const until = now + minutes * minute;
      for (let steps = 0; steps < 5000; steps++) {
        queue.sort((a, b) => a.at - b.at);
        const next = queue[0];
        if (!next || next.at > until) break;
        queue.shift();
        now = Math.max(now, next.at);
        await deliver(next);
      }
      // The sweep.
      for (const at of box.timers) {
        if (at > now - 5 * minute || box.state.wakeAt !== at) continue;
        queue.push({ at: until, wakeAt: at, token: String(++tokens) });
      }
      now = until;
    },
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(at));
const inOrder = (found: readonly string[]) => found.toSorted((a, b) => Number(a) - Number(b));

describe('syncMailbox', () => {
  it('finds each message once, whatever is asked', async () => {
    const world = newWorld();
    world.ask();
    await world.run(1);
    world.mail(350);
    world.ask();
    world.ask();
    await world.run(1);
    world.ask();
    await world.run(30);
    expect(world.box.found).toEqual(numbers(350));
  });

  it('finds 5,000 messages once, 1,000 of them in a burst, over many sessions', async () => {
    const world = newWorld({ backfillSince: 0, callMs: 5000 });
    world.mail(4000);
    world.ask();
    await world.run(1);
    world.mail(1000);
    world.ask();
    await world.run(60);
    expect(inOrder(world.box.found)).toEqual(numbers(5000));
    expect(world.box.state).toMatchObject({ resync: null, backfill: null, failures: 0, lease: null });
  });

  it('has one timer, however often it is asked', async () => {
    const world = newWorld();
    for (let at = 0; at < 10; at += 1) world.ask();
    await world.run(1);
    expect([...world.box.timers]).toEqual([world.box.state.wakeAt]);
    const before = world.calls.filter((what) => what === 'changesSince').length;
    await world.run(100);
    const polls = world.calls.filter((what) => what === 'changesSince').length - before;
    expect(polls).toBeGreaterThanOrEqual(9);
    expect(polls).toBeLessThanOrEqual(10);
    expect(world.box.timers.size).toBe(1);
  });

  it('finds each message once when the worker dies at any port', async () => {
    const whole = newWorld();
    whole.mail(0);
    whole.ask();
    whole.kill(-1);
    await whole.run(1);
    whole.mail(150);
    whole.ask();
    await whole.run(1);
    const ports = whole.ports();
    expect(ports).toBeGreaterThan(15);
    for (let port = 1; port <= ports; port++) {
      const world = newWorld();
      world.kill(port);
      world.ask();
      await world.run(1);
      world.mail(150);
      world.ask();
      await world.run(60);
      await world.run(60);
      expect({ port, found: inOrder(world.box.found) }).toEqual({ port, found: numbers(150) });
      expect({ port, timers: [...world.box.timers] }).toEqual({ port, timers: [world.box.state.wakeAt] });
    }
  });

  it('reads again from a day before where the provider has lost the position', async () => {
    const world = newWorld();
    world.ask();
    await world.run(1);
    world.mail(5);
    world.ask();
    await world.run(1);
    world.mail(250);
    world.box.oldestPosition = 255;
    world.ask();
    await world.run(1);
    expect(inOrder(world.box.found)).toEqual(numbers(255));
    expect(world.box.state).toMatchObject({ cursor: '255', resync: null });
  });

  it('reads older mail after what is new', async () => {
    const world = newWorld({ backfillSince: 0 });
    world.mail(250);
    world.ask();
    await world.run(1);
    expect(inOrder(world.box.found)).toEqual(numbers(250));
  });

  it.each<ProviderFailure>(['refused', 'not_found'])(
    'lists again from the first page when the provider answers %s to a later one',
    async (failure) => {
      const world = newWorld({ backfillSince: 0 });
      world.mail(350);
      world.failingLists.set(3, failure);
      world.ask();
      await world.run(1);
      expect(inOrder(world.box.found)).toEqual(numbers(350));
      expect(world.box.state).toMatchObject({ backfill: null, failures: 0 });
    },
  );

  it('tries again later when the provider refuses each listing', async () => {
    const world = newWorld({ backfillSince: 0 });
    world.mail(350);
    for (let list = 2; list < 10; list++) world.failingLists.set(list, 'refused');
    world.ask();
    await world.run(1);
    expect(world.box.state.failures).toBeGreaterThan(0);
    await world.run(60);
    expect(inOrder(world.box.found)).toEqual(numbers(350));
  });

  it.each<ProviderFailure>(['unknown', 'throttled', 'network', 'expired', 'refused'])(
    'tries again when the provider fails with %s',
    async (failure) => {
      const world = newWorld();
      world.ask();
      await world.run(1);
      world.mail(3);
      world.failing.push(failure, failure, failure);
      world.ask();
      await world.run(20);
      expect(world.box.found).toEqual(numbers(3));
      expect(world.box.state.failures).toBe(0);
    },
  );

  it('tries again, and goes on, when a failure of ours ends', async () => {
    const world = newWorld();
    world.ask();
    await world.run(1);
    world.mail(3);
    world.broken.add('save');
    world.ask();
    await world.run(30);
    expect([world.box.found, world.box.state.lease]).toEqual([[], null]);
    world.broken.clear();
    await world.run(15);
    expect(world.box.found).toEqual(numbers(3));
  });

  it.each(['provider', 'service'] as const)(
    'says on the mailbox that the %s has failed for an hour, until the next success',
    async (of) => {
      const world = newWorld();
      world.ask();
      await world.run(1);
      const since = world.box.state.lastSyncAt;
      if (of === 'provider') world.failing.push(...Array.from({ length: 12 }, () => 'unknown' as const));
      else world.broken.add('unknownOf').add('save');
      world.mail(1);
      world.ask();
      await world.run(59);
      expect(world.box.notSynchronized).toBeNull();
      await world.run(20);
      const reason = of === 'provider' ? 'unknown' : 'The service failed.';
      expect(world.box.notSynchronized).toBe(`${since} ${reason}`);
      world.failing.length = 0;
      world.broken.clear();
      await world.run(15);
      expect([world.box.notSynchronized, world.box.found]).toEqual([null, ['0']]);
      expect(world.box.state).toMatchObject({ failures: 0, failingSince: null });
    },
  );

  it('ends without a timer when the authorization is gone', async () => {
    const world = newWorld();
    world.ask();
    await world.run(1);
    world.failing.push('unauthorized');
    world.ask();
    await world.run(60);
    expect([world.box.state.wakeAt, world.box.timers.size]).toEqual([null, 0]);
  });

  it('goes on with polls when the provider refuses a subscription', async () => {
    const world = newWorld();
    world.ask();
    // The cursor, then the subscription.
    world.box.state = { ...world.box.state, cursor: '0' };
    world.failing.push('refused');
    await world.run(1);
    world.mail(2);
    await world.run(4);
    expect(world.box.found).toEqual(numbers(2));
    await world.run(7 * 60);
    expect(world.calls.filter((what) => what === 'subscribe')).toHaveLength(2);
    expect(world.box.state.push).not.toBeNull();
  });

  it('renews a subscription before it ends', async () => {
    const world = newWorld();
    world.ask();
    await world.run(6 * 24 * 60);
    expect(world.calls.filter((what) => what === 'subscribe')).toHaveLength(2);
  });
});
