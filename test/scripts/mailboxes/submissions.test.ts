/** The submissions of one mailbox in memory: providers that take nothing for a time, orders of workers, and deaths at any port. */
import { describe, expect, it } from 'vitest';
import type { ProviderFailure } from '../../../lib/core/mailboxes/provider.ts';
import { seeded } from '../../../scripts/random.ts';
import { type CallOutcome, memorySubmissions, type Submission } from '../../support/memory-submissions.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Of the clock. */
const start = 1_700_000_000_000;

/** What a provider answers that has certainly sent nothing; without a call, any failure of the token. */
const held: readonly [string, Exclude<CallOutcome, string>][] = [
  ['throttled', { kind: 'throttled' }],
  ['throttled with Retry-After', { kind: 'throttled', retryAfterMs: 20 * minute }],
  ['network', { kind: 'network' }],
  ['expired', { kind: 'expired' }],
  ['refused, for the OAuth client', { kind: 'refused', isCalled: false }],
  ['unknown, for the token', { kind: 'unknown', isCalled: false }],
];

/** Every minute one. */
const queuedAt = (count: number) => Array.from({ length: count }, (_, at) => start + at * minute);

const sentOrder = (submissions: readonly Submission[]) =>
  submissions
    .map(({ steps }, number) => ({ number, at: steps.sent ?? Number.POSITIVE_INFINITY }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ number }) => number);

describe('submitChunk', () => {
  it.each(held)('sends in order when the provider answers %s for an hour', async (_, failure) => {
    const world = memorySubmissions({
      queuedAt: queuedAt(8),
      call: (__, at) => (at < start + hour ? failure : 'sent'),
      random: seeded(1).fraction,
    });
    await world.run();
    expect(sentOrder(world.submissions)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(world.submissions.map(({ copies }) => copies)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
    expect(world.waiting.size).toBe(0);
  });

  it.each(held)(
    'fails within a day, with a reason, when the provider answers %s for ever',
    async (_, failure) => {
      const world = memorySubmissions({
        queuedAt: queuedAt(8),
        call: () => failure,
        random: seeded(1).fraction,
      });
      await world.run();
      for (const { endedAt, queuedAt: at, copies, reason } of world.submissions) {
        expect([copies, endedAt !== null && endedAt - at <= day]).toEqual([0, true]);
        expect(reason).toMatch(
          /^(the provider has not taken it for a day: It is \w+\.|it has waited for a day behind)/,
        );
      }
      expect(world.waiting.size).toBe(0);
    },
  );

  it('sends what was throttled once, before a hundred that came later', async () => {
    let calls = 0;
    const world = memorySubmissions({
      queuedAt: Array.from({ length: 101 }, (_, at) => start + (at === 0 ? 0 : 10_000 + at)),
      call: () => (++calls === 1 ? { kind: 'throttled' } : 'sent'),
      random: seeded(1).fraction,
    });
    await world.run();
    expect(sentOrder(world.submissions)).toEqual(Array.from({ length: 101 }, (_, at) => at));
    expect(calls).toBe(102);
  });

  it('fails all at once when the mailbox is disconnected', async () => {
    const failure = { kind: 'throttled', retryAfterMs: 12 * hour } as const;
    const world = memorySubmissions({
      queuedAt: queuedAt(8),
      call: () => failure,
      random: seeded(1).fraction,
    });
    await world.run(start + hour);
    expect(world.submissions.map(({ endedAt }) => endedAt)).toEqual(Array.from({ length: 8 }, () => null));
    world.state.isConnected = false;
    world.call(0);
    await world.run(start + hour);
    expect(world.submissions.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 8 }, () => 'It is unauthorized.'),
    );
    expect(world.waiting.size).toBe(0);
  });

  it('does not wait for the next try when a message comes early', async () => {
    const calls: number[] = [];
    const world = memorySubmissions({
      queuedAt: [start],
      call: (_, at) => (calls.push(at) === 1 ? { kind: 'throttled', retryAfterMs: hour } : 'sent'),
      random: seeded(1).fraction,
    });
    await world.run(start + minute);
    for (let at = 0; at < 5; at += 1) world.call(0);
    await world.run();
    expect(calls).toHaveLength(2);
    expect(calls[1]).toBeGreaterThanOrEqual(start + hour);
  });

  it('lets others go on when the message of the first is lost', async () => {
    const world = memorySubmissions({
      queuedAt: [start, start + minute, start + 2 * day],
      call: (number) => (number === 0 ? { kind: 'throttled' } : 'sent'),
      random: seeded(1).fraction,
    });
    await world.run(start + 2 * minute);
    world.lose(0);
    await world.run();
    const [, second, third] = world.submissions;
    expect(second?.endedAt).toBeLessThanOrEqual(start + minute + day);
    expect([third?.copies, world.waiting.size]).toEqual([1, 0]);
  });

  it('calls whoever begins to wait while the first ends', async () => {
    for (let seed = 1; seed <= 100; seed++) {
      let calls = 0;
      const world = memorySubmissions({
        queuedAt: [start, start + hour],
        call: () => (++calls === 1 ? { kind: 'throttled' } : 'sent'),
        random: seeded(seed).fraction,
      });
      await world.run(start);
      const [first] = world.waiting.values();
      // Both at the same time.
      world.call(1, first?.dueAt);
      await world.run(start + minute);
      expect({ seed, copies: world.submissions.map(({ copies }) => copies) }).toEqual({
        seed,
        copies: [1, 1],
      });
    }
  });

  it('sends each once, or fails it within a day, in order, whatever workers do', async () => {
    const kinds: readonly ProviderFailure[] = ['throttled', 'network', 'expired'];
    for (let seed = 1; seed <= 60; seed++) {
      const { fraction: random } = seeded(seed);
      const share = random();
      const world = memorySubmissions({
        queuedAt: Array.from({ length: 8 }, () => start + Math.floor(random() * 20 * minute)).toSorted(
          (a, b) => a - b,
        ),
        call: (): CallOutcome => {
          const drawn = random();
          if (drawn < 0.05) return random() < 0.5 ? 'unsent' : 'unheard';
          return drawn < share ? { kind: kinds[Math.floor(random() * 3)] ?? 'network' } : 'sent';
        },
        random,
        killed: seed % 3 === 0 ? 0.02 : 0,
        repeated: seed % 2 === 0 ? 0.1 : 0,
      });
      await world.run();
      const { submissions } = world;
      expect({ seed, waiting: world.waiting.size }).toEqual({ seed, waiting: 0 });
      for (const { chunk, copies, reason, endedAt, queuedAt: at } of submissions) {
        const isSent = chunk?.state === 'accepted';
        expect({ seed, copies, isTold: isSent || reason !== null }).toEqual({
          seed,
          copies: isSent ? 1 : 0,
          isTold: true,
        });
        expect((endedAt ?? Number.POSITIVE_INFINITY) - at).toBeLessThanOrEqual(day);
      }
      expect({ seed, overtaken: overtaken(submissions) }).toEqual({ seed, overtaken: [] });
    }
  });
});

/** Pairs of which the second began when the first was held already, and was sent before the first had ended. */
function overtaken(submissions: readonly Submission[]): string[] {
  return submissions.flatMap(({ steps: first }, number) =>
    submissions.slice(number + 1).flatMap(({ steps }, after) => {
      const isHeld = first.held !== undefined && (steps.begun ?? 0) > first.held;
      const isBefore = (steps.sent ?? Number.POSITIVE_INFINITY) < (first.ended ?? Number.POSITIVE_INFINITY);
      return isHeld && isBefore ? [`${number + 1 + after} before ${number}`] : [];
    }),
  );
}
