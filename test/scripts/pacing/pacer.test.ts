import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeId, type PacingRuleId } from '../../../lib/core/ids.ts';
import { constraintKey, type HeldEmail } from '../../../lib/core/pacing/held.ts';
import { isOpen, nextOpening } from '../../../lib/core/pacing/hours.ts';
import {
  allConstraints,
  type Constraint,
  constraintsOf,
  limitScopes,
  matchingRules,
  type PacingRule,
} from '../../../lib/core/pacing/rule.ts';
import { openAt } from '../../../lib/core/pacing/slots.ts';
import { type MemoryWorld, memoryWorld } from '../../../scripts/pacing/memory-world.ts';
import { seeded } from '../../../scripts/random.ts';
import { randomCases } from '../../support/random-cases.ts';

const start = Date.parse('2026-01-05T08:00:00Z');
const idOf = (number: number): PacingRuleId => composeId('pace', number, new Uint8Array(10));

const rule = (number: number, effect: object, match: PacingRule['match'] = []): PacingRule =>
  ({
    id: idOf(number),
    name: `Rule ${number}`,
    enabled: true,
    match,
    spaceId: null,
    createdAt: start,
    revision: 1,
    ...effect,
  }) as PacingRule;

const limit = (number: number, scope: string, amount: number, perSeconds: number): PacingRule =>
  rule(number, { kind: 'limit', limit: { scope, amount, perSeconds } });

const world = (seed = 1, more: object = {}): MemoryWorld =>
  memoryWorld({ startMs: start, random: seeded(seed).fraction, ...more });

/** Fails where a window of a scope value has more than its rule allows, or an email left outside of the hours. */
function expectWithinRules({ released }: MemoryWorld): void {
  const times = new Map<string, number[]>();
  for (const { at, rules, constraints, email } of released) {
    for (const constraint of constraints) {
      const found = rules.rules.find(({ id }) => id === constraint.ruleId);
      if (found?.kind === 'hours')
        expect(isOpen(found.schedule, at - 1000) || isOpen(found.schedule, at)).toBe(true);
      if (found?.kind !== 'limit' || !email.isCounted) continue;
      const key = constraintKey(constraint);
      const all = times.get(key) ?? [];
      all.push(at);
      times.set(key, all);
      const { amount, perSeconds } = found.limit;
      // The time of a commit is a call later than that of its decision. The clock may have been set back since other emails left.
      const periodMs = perSeconds * 1000 - callsMs;
      const near = all.filter((time) => Math.abs(time - at) < periodMs).sort((one, other) => one - other);
      for (const first of near.filter((time) => time <= at)) {
        const inWindow = near.filter((time) => time >= first && time < first + periodMs);
        expect(inWindow.length, `${key} at ${new Date(at).toISOString()}`).toBeLessThanOrEqual(amount);
      }
    }
  }
}
/** The longest time between a decision and its commit. */
const callsMs = 250;

/** Emails with the same constraints left in order. */
function expectOldestFirst({ released }: MemoryWorld): void {
  const last = new Map<string, string>();
  for (const { position, constraints, rules } of released) {
    const key = `${rules.version} ${constraints.map(constraintKey).join()}`;
    expect(position > (last.get(key) ?? '')).toBe(true);
    last.set(key, position);
  }
}

/** When the first of the held emails may leave, by looking at each. */
function earliest(of: MemoryWorld): number | null {
  const now = of.now();
  const rules = of.rules();
  const timeOf = (constraint: Constraint): number => {
    const found = rules.rules.find(({ id }) => id === constraint.ruleId);
    if (found?.kind === 'hours') return nextOpening(found.schedule, now);
    if (found?.kind !== 'limit') return now;
    const { amount, perSeconds } = found.limit;
    const pace = { amount, perSeconds, spread: rules.spread, seed: constraintKey(constraint) };
    return openAt(of.tree().scopes.get(constraintKey(constraint))?.slots ?? null, pace, now);
  };
  const times = [...of.held.values()].map((email: HeldEmail) =>
    Math.max(now, ...allConstraints(constraintsOf(matchingRules(rules, email), email)).map(timeOf)),
  );
  return times.length === 0 ? null : Math.min(...times);
}

/** Runs until no session is at work. */
async function rest(of: MemoryWorld): Promise<void> {
  for (let tries = 0; of.isBusy() && tries < 10_000; tries++) await of.clock.run(of.clock.now() + 100);
  expect(of.isBusy()).toBe(false);
}

/** Fails where an email may leave, and nobody is at work or comes in time. */
async function expectNotIdle(of: MemoryWorld): Promise<void> {
  await rest(of);
  expect(of.state().held + of.arrived()).toBe(of.held.size);
  const due = earliest(of);
  const { wakeAt } = of.state();
  if (due === null) {
    // A timer of an email that left by hand may fire once.
    if (wakeAt !== null) await of.clock.run(of.clock.now() + Math.max(0, wakeAt - of.now()) + 1000);
    of.sweep();
    await rest(of);
    return expect(of.held.size > 0 || of.state().wakeAt === null).toBe(true);
  }
  expect(wakeAt, `something may leave at ${new Date(due).toISOString()}`).not.toBeNull();
  expect(wakeAt).toBeLessThanOrEqual(Math.max(due, of.now() + 1000));
}

const mail = (from: string, to: string | string[]) => ({ from, to: [to].flat() });

describe('the pacer', () => {
  it('sets no further timer for an email that left by hand, under rules that are never open at the same time', async () => {
    const one = world();
    const windows = [{ days: [0, 1, 2, 3, 4, 5, 6], startMinute: 560, endMinute: 590 }];
    const hours = (number: number, timezone: string) =>
      rule(number, { kind: 'hours', schedule: { timezone, windows } });
    one.setRules({ spread: 0, rules: [hours(1, 'Europe/Berlin'), hours(2, 'America/New_York')] });
    one.hold(mail('a@x.dev', 'p@y.dev'));
    await rest(one);
    const [position] = one.held.keys();
    if (position) one.take(position, false);
    const { wakeAt } = one.state();
    expect(wakeAt).toBeGreaterThan(one.now());
    await one.clock.run(one.clock.now() + 7 * 24 * 3_600_000);
    await rest(one);
    expect(one.state()).toMatchObject({ held: 0, wakeAt: null });
  });

  it('counts each email once when it arrives before the tree of its rules begins', async () => {
    const one = world();
    one.setRules({ spread: 0, rules: [limit(1, 'rule', 1, 86_400)] });
    for (let at = 0; at < 4; at++) one.hold(mail('a@x.dev', `p${at}@y.dev`));
    await rest(one);
    expect(one.held.size).toBe(3);
    expect([...one.tree().scopes.values()].map(({ waiting }) => waiting)).toEqual([3]);
  });

  it('lets emails leave evenly, oldest first', async () => {
    const one = world();
    one.setRules({ spread: 0, rules: [limit(1, 'rule', 60, 3600)] });
    const positions = Array.from({ length: 20 }, (_, at) => one.hold(mail('a@x.dev', `p${at}@y.dev`)));
    await one.clock.run(start + 20 * 61_000);
    expect(one.released.map(({ position }) => position)).toEqual(positions);
    const gaps = one.released.slice(1).map(({ at }, before) => at - (one.released[before]?.at ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(60_500);
    expect(Math.min(...gaps)).toBeGreaterThan(59_500);
    expectWithinRules(one);
  });

  it('does nothing while nothing is held', async () => {
    const one = world();
    one.setRules({ spread: 0, rules: [limit(1, 'rule', 60, 3600)] });
    one.hold(mail('a@x.dev', 'b@y.dev'));
    await rest(one);
    expect(one.held.size).toBe(0);
    expect(one.state().wakeAt).toBeNull();
    const { calls } = one.counts;
    await one.clock.run(start + 86_400_000);
    expect(one.counts.calls).toBe(calls);
  });

  it('lets an email for another domain pass those that wait for theirs', async () => {
    const one = world();
    one.setRules({ spread: 0, rules: [limit(1, 'rule', 600, 3600), limit(2, 'to_domain', 1, 3600)] });
    for (let number = 0; number < 5; number++) one.hold(mail('a@x.dev', `p${number}@slow.dev`));
    one.hold(mail('a@x.dev', 'p@other.dev'));
    await one.clock.run(start + 30_000);
    expect(one.released.map(({ email }) => email.to[0])).toEqual(['p0@slow.dev', 'p@other.dev']);
    await expectNotIdle(one);
  });

  it('lets go what a deleted rule has held, within a minute', async () => {
    const one = world();
    one.setRules({ spread: 0, rules: [limit(1, 'rule', 1, 86_400)] });
    for (let number = 0; number < 300; number++) one.hold(mail('a@x.dev', `p${number}@y.dev`));
    await one.clock.run(start + 60_000);
    expect(one.released).toHaveLength(1);
    one.setRules({ spread: 0, rules: [] });
    await one.clock.run(start + 120_000);
    expect(one.released).toHaveLength(300);
    expectOldestFirst(one);
  });

  it('does not hold emails back that wait for no rule, behind those that do', async () => {
    const one = world();
    const match = [{ field: 'to', pattern: '*@slow.dev' }] as const;
    one.setRules({
      spread: 0,
      rules: [rule(1, { kind: 'limit', limit: { scope: 'rule', amount: 1, perSeconds: 3600 } }, match)],
    });
    for (let number = 0; number < 5; number++) one.hold(mail('a@x.dev', `p${number}@slow.dev`));
    one.hold(mail('a@x.dev', 'p@other.dev'));
    await one.clock.run(start + 5000);
    expect(one.released).toHaveLength(2);
  });

  it('counts what was released by hand, and goes on', async () => {
    const one = world();
    one.setRules({ spread: 0, rules: [limit(1, 'rule', 10, 600)] });
    const positions = Array.from({ length: 20 }, (_, at) => one.hold(mail('a@x.dev', `p${at}@y.dev`)));
    await one.clock.run(start + 30_000);
    for (const position of positions.slice(5, 10)) one.take(position, true);
    await one.clock.run(start + 360_000);
    expect(one.released).toHaveLength(1);
    await one.clock.run(start + 400_000);
    expect(one.released).toHaveLength(2);
    await one.clock.run(start + 3_600_000);
    expect(one.released).toHaveLength(15);
    expectWithinRules(one);
  });

  it('uses no allowance for emails that do not count', async () => {
    const one = world();
    one.setRules({ spread: 0, rules: [limit(1, 'rule', 1, 3600)] });
    for (let number = 0; number < 10; number++) one.hold({ ...mail('a@x.dev', 'b@y.dev'), isCounted: false });
    one.hold(mail('a@x.dev', 'b@y.dev'));
    await one.clock.run(start + 5000);
    expect(one.released).toHaveLength(11);
  });

  it.each([99, 100, 101, 300])('lets emails go that wait for %i allowances each', async (recipients) => {
    const one = world();
    const rules = [limit(1, 'to_address', 1, 600), limit(2, 'rule', 1, 60), limit(3, 'from_address', 1, 60)];
    one.setRules({ spread: 0, rules });
    const to = Array.from({ length: recipients }, (_, at) => `p${at}@y${at}.dev`);
    for (let number = 0; number < 3; number++) one.hold(mail('a@x.dev', to));
    await one.clock.run(start + 3_600_000);
    expect(one.released).toHaveLength(3);
    expectWithinRules(one);
  });

  it('keeps every rule and is never idle, with any rules, arrivals, changes of rules, releases by hand and jumps of the clock', async () => {
    const number = fc.integer({ min: 0, max: 3 });
    const effect = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('limit'),
          limit: fc.record({
            scope: fc.constantFrom(...limitScopes),
            amount: fc.integer({ min: 1, max: 6 }),
            perSeconds: fc.constantFrom(20, 60, 600, 3600),
          }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('hours'),
          schedule: fc.record({
            timezone: fc.constantFrom('Europe/Berlin', 'America/New_York'),
            windows: fc.constant([
              { days: [0, 1, 2, 3, 4, 5, 6], startMinute: 9 * 60 + 20, endMinute: 9 * 60 + 50 },
            ]),
          }),
        }),
      },
    );
    const match = fc.oneof(
      fc.constant([]),
      fc
        .constantFrom('*@to1.dev', 'from2@*', '*@from0.dev')
        .map((pattern) => [{ field: 'either' as const, pattern }]),
    );
    const ruleSets = fc.array(fc.record({ effect, match }), { maxLength: 4 });
    const arrival = fc.record({
      from: fc.tuple(number, number).map(([a, b]) => `from${a}@from${b}.dev`),
      to: fc.array(
        fc.tuple(number, number).map(([a, b]) => `to${a}@to${b}.dev`),
        { minLength: 1, maxLength: 3 },
      ),
      isCounted: fc.integer({ min: 0, max: 9 }).map((one) => one > 0),
    });
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.array(arrival, { minLength: 1, maxLength: 8 }) },
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 600_000 }) },
      { weight: 1, arbitrary: fc.record({ rules: ruleSets, spread: fc.constantFrom(0, 0, 100) }) },
      { weight: 1, arbitrary: fc.record({ take: fc.integer({ min: 0, max: 50 }) }) },
      { weight: 1, arbitrary: fc.record({ jump: fc.integer({ min: -900_000, max: 900_000 }) }) },
    );
    await fc.assert(
      fc.asyncProperty(
        ruleSets,
        fc.array(step, { minLength: 5, maxLength: 25 }),
        fc.integer(),
        async (first, steps, seed) => {
          const one = world(seed);
          const set = (rules: typeof first, spread: number) =>
            one.setRules({ spread, rules: rules.map((some, at) => rule(at, some.effect, some.match)) });
          set(first, 0);
          let held = 0;
          let taken = 0;
          for (const some of steps) {
            if (Array.isArray(some)) {
              for (const email of some) one.hold(email);
              held += some.length;
            } else if (typeof some === 'number') await one.clock.run(one.clock.now() + some);
            else if ('rules' in some) set(some.rules, some.spread);
            else if ('jump' in some) {
              one.jump(some.jump);
              one.sweep();
            } else {
              const position = [...one.held.keys()][some.take];
              if (position) {
                // Not counted: a release by hand may exceed every limit.
                one.take(position, false);
                taken += 1;
              }
            }
            await expectNotIdle(one);
            expectWithinRules(one);
          }
          // Set back, the clock gives later emails earlier places.
          if (!steps.some((some) => typeof some === 'object' && 'jump' in some && some.jump < 0))
            expectOldestFirst(one);
          expect(one.released.length + one.held.size + taken).toBe(held);
          expect(new Set(one.released.map(({ position }) => position)).size).toBe(one.released.length);
        },
      ),
      randomCases(6),
    );
  });
});

describe('the pacer, killed at any call', () => {
  it.each(['kill before', 'kill after'] as const)(
    'sends each of two emails to one address once when it is killed once (%s)',
    async (fault) => {
      /** Kills at a call, counted from 0. Whether there was such a call. */
      const killAt = async (number: number): Promise<boolean> => {
        let calls = 0;
        const one = world(1, { fault: () => (calls++ === number ? fault : null) });
        one.setRules({ spread: 0, rules: [limit(1, 'to_address', 1, 60)] });
        const held = [one.hold(mail('a@x.dev', 'b@y.dev')), one.hold(mail('a@x.dev', 'b@y.dev'))];
        await one.clock.run(start + 3_600_000);
        expect(
          one.released.map(({ position }) => position),
          `call ${number}`,
        ).toEqual(held);
        expectWithinRules(one);
        expect(one.state().wakeAt, `call ${number}`).toBeNull();
        return calls > number;
      };
      let kills = 0;
      while (await killAt(kills)) kills += 1;
      expect(kills).toBeGreaterThan(20);
    },
  );

  it('loses no email and sends none twice, and goes on', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 2, max: 40 }), async (seed, every) => {
        const { fraction: random } = seeded(seed);
        let isCalm = false;
        const fault = () => {
          if (isCalm || random() >= 1 / every) return null;
          return random() < 0.5 ? ('kill before' as const) : ('kill after' as const);
        };
        const one = world(seed, { fault });
        one.setRules({
          spread: 0,
          rules: [limit(1, 'rule', 30, 60), limit(2, 'to_domain', 10, 60), limit(3, 'to_address', 2, 60)],
        });
        const held = Array.from({ length: 40 }, (_, at) =>
          one.hold(mail('a@x.dev', [`p${at % 7}@d${at % 3}.dev`, `q${at % 2}@e.dev`])),
        );
        await one.clock.run(start + 300_000);
        one.setRules({ spread: 100, rules: [limit(1, 'rule', 60, 60), limit(3, 'to_address', 6, 60)] });
        await one.clock.run(start + 600_000);
        isCalm = true;
        await one.clock.run(one.clock.now() + 3_600_000);
        expect(one.released.map(({ position }) => position).sort()).toEqual(held);
        expectWithinRules(one);
        expect(one.state().wakeAt).toBeNull();
      }),
      { numRuns: 25 },
    );
  });
});
