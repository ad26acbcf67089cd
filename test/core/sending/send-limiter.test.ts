import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  askAgainAt,
  hold,
  laneWaitSeconds,
  reserve,
  reserveAtOnce,
  type SendLimiter,
  slotRate,
  timeOfSlot,
  withLimits,
  withoutQuota,
  withWaiting,
} from '../../../lib/core/sending/send-limiter.ts';

const nowMs = 1_000_000;
const horizonMs = 10_000;
/** Two recipients a second, nothing given, no quota. */
const idle: SendLimiter = {
  ratePerSecond: 2,
  quotaLeft: null,
  nextFree: 0,
  offset: 0,
  heldSlot: 0,
  leadMs: 0,
  refreshAt: nowMs + 300_000,
  waitingUntil: 0,
  version: 1,
};

const ones = (count: number) => Array.from({ length: count }, () => 1);

describe('reserve', () => {
  it('gives slots at the rate, from now on, when the region is idle', () => {
    const { slots, limiter } = reserve(idle, ones(3), nowMs, horizonMs);
    expect(slots).toEqual([nowMs, nowMs + 500, nowMs + 1000]);
    expect(limiter).toEqual({ ...idle, nextFree: nowMs + 1500 });
  });

  it('counts recipients, as SES does', () => {
    const { slots } = reserve(idle, [4, 1, 1], nowMs, horizonMs);
    expect(slots).toEqual([nowMs, nowMs + 2000, nowMs + 2500]);
  });

  it('gives slots up to the horizon only', () => {
    const { slots } = reserve(idle, ones(100), nowMs, horizonMs);
    expect(slots.at(-1)).toBe(nowMs + horizonMs);
    expect(slots).toHaveLength(21);
    const full = reserve(idle, ones(100), nowMs, horizonMs).limiter;
    expect(reserve(full, ones(1), nowMs, horizonMs)).toEqual({ slots: [], limiter: full });
  });

  it('gives a slot to a submission that takes longer than the horizon', () => {
    expect(reserve(idle, [50, 1], nowMs, horizonMs).slots).toEqual([nowMs]);
  });

  it('gives no more slots than the quota has recipients left', () => {
    const { slots, limiter } = reserve({ ...idle, quotaLeft: 5 }, [2, 2, 2], nowMs, horizonMs);
    expect(slots).toHaveLength(2);
    expect(limiter.quotaLeft).toBe(1);
  });

  it('gives no two slots closer than the rate allows, whatever happened before', () => {
    const step = fc.record({
      afterMs: fc.integer({ min: 0, max: 8000 }),
      costs: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 10 }),
      isHeld: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let limiter = idle;
        let at = nowMs;
        const given: { slot: number; cost: number }[] = [];
        for (const { afterMs, costs, isHeld } of steps) {
          at += afterMs;
          const last = given.at(-1)?.slot;
          if (isHeld && last !== undefined) {
            limiter = hold(limiter, last, { nowMs: at, until: at + 2000, gapMs: 0 });
          }
          const reserved = reserve(limiter, costs, at, horizonMs);
          limiter = reserved.limiter;
          given.push(...reserved.slots.map((slot, index) => ({ slot, cost: costs[index] ?? 0 })));
        }
        for (const [index, { slot, cost }] of given.entries()) {
          const next = given[index + 1];
          if (next) expect(next.slot - slot).toBeGreaterThan((cost / idle.ratePerSecond) * 1000 - 0.001);
        }
      }),
    );
  });
});

describe('askAgainAt', () => {
  it('is when half of the horizon is used up', () => {
    const full = reserve(idle, ones(100), nowMs, horizonMs).limiter;
    expect(askAgainAt(full, 1, horizonMs)).toBe(nowMs + 10_500 - horizonMs / 2);
  });

  it('is the next refresh when the quota is used up', () => {
    expect(askAgainAt({ ...idle, quotaLeft: 3 }, 4, horizonMs)).toBe(idle.refreshAt);
  });
});

describe('hold', () => {
  const given = reserve(idle, ones(4), nowMs, horizonMs);
  const [first = 0, second = 0, third = 0, last = 0] = given.slots;
  const refusedAt = nowMs + 600;
  const until = refusedAt + 60_000;

  it('moves all slots behind the refused one, in their order and at their distance', () => {
    const limiter = hold(given.limiter, second, { nowMs: refusedAt, until, gapMs: 5000 });
    expect(timeOfSlot(limiter, second)).toBe(until);
    expect(timeOfSlot(limiter, third)).toBe(until + 5000 + 500);
    expect(timeOfSlot(limiter, last)).toBe(until + 5000 + 1000);
    expect(reserve(limiter, [1], until, horizonMs).slots.map((at) => timeOfSlot(limiter, at))).toEqual([
      until + 5000 + 1500,
    ]);
  });

  it('does not move the slots again when an older email is refused meanwhile, which stays before', () => {
    const held = hold(given.limiter, second, { nowMs: refusedAt, until, gapMs: 5000 });
    const again = hold(held, first, { nowMs: refusedAt + 50, until: until + 50, gapMs: 5000 });
    expect(again).toBe(held);
    expect(timeOfSlot(again, first)).toBe(until - 500);
  });

  it('moves the slots again when the first email is refused again', () => {
    const held = hold(given.limiter, second, { nowMs: refusedAt, until, gapMs: 5000 });
    const later = until + 60_000;
    const again = hold(held, second, { nowMs: until + 10, until: later, gapMs: 5000 });
    expect(timeOfSlot(again, second)).toBe(later);
    expect(timeOfSlot(again, third)).toBeGreaterThan(later + 5000);
  });

  it('keeps the order of all slots, whichever are refused and when', () => {
    const refusal = fc.record({
      afterMs: fc.integer({ min: 0, max: 70_000 }),
      of: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(refusal, { maxLength: 20 }), (refusals) => {
        let { limiter } = given;
        let at = nowMs;
        for (const { afterMs, of } of refusals) {
          at += afterMs;
          limiter = hold(limiter, given.slots[of] ?? 0, { nowMs: at, until: at + 60_000, gapMs: 5000 });
          const times = given.slots.map((slot) => timeOfSlot(limiter, slot));
          expect(times).toEqual(times.toSorted((a, b) => a - b));
        }
      }),
    );
  });
});

describe('withLimits', () => {
  const refreshAt = nowMs + 300_000;

  it('takes a share of the rate, and what the quota has left beside the slots that were given', () => {
    const { limiter } = reserve(idle, ones(10), nowMs, horizonMs);
    expect(withLimits(limiter, { ratePerSecond: 14, quota: 200, sent: 50 }, nowMs, refreshAt)).toEqual({
      ...limiter,
      ratePerSecond: slotRate(14),
      quotaLeft: 140,
      refreshAt,
    });
  });

  it('has no quota when the account has none', () => {
    const limiter = withLimits(idle, { ratePerSecond: 14, quota: null, sent: 50 }, nowMs, refreshAt);
    expect(limiter.quotaLeft).toBe(null);
  });

  it('moves the slots that were given behind the next refresh when SES says that the quota is used up', () => {
    const { slots, limiter } = reserve(idle, ones(2), nowMs, horizonMs);
    const used = withLimits(limiter, { ratePerSecond: 2, quota: 200, sent: 200 }, nowMs, refreshAt);
    expect(slots.map((slot) => timeOfSlot(used, slot))).toEqual([refreshAt, refreshAt + 500]);
    expect(reserve(used, [1], nowMs, Number.POSITIVE_INFINITY).slots).toEqual([]);
  });
});

describe('reserveAtOnce', () => {
  const withinMs = 1500;

  it('gives slots that are near, and leaves no note, when there is one for each', () => {
    const { slots, limiter } = reserveAtOnce(idle, ones(3), nowMs, withinMs);
    expect(slots).toEqual([nowMs, nowMs + 500, nowMs + 1000]);
    expect(limiter.waitingUntil).toBe(0);
  });

  it('notes that the others wait, so that no later one overtakes them', () => {
    const { slots, limiter } = reserveAtOnce(idle, ones(6), nowMs, withinMs);
    expect(slots).toHaveLength(4);
    const soon = nowMs + 30_000;
    expect(reserveAtOnce(limiter, ones(1), soon, withinMs)).toEqual({ slots: [], limiter });
    const later = nowMs + 60_000;
    expect(reserveAtOnce(limiter, ones(1), later, withinMs).slots).toEqual([later]);
  });

  it('gives no slot and notes it when the first is too late', () => {
    const full = reserve(idle, ones(100), nowMs, horizonMs).limiter;
    const { slots, limiter } = reserveAtOnce(full, ones(1), nowMs, withinMs);
    expect(slots).toEqual([]);
    expect(limiter).toEqual({ ...full, waitingUntil: nowMs + 60_000 });
  });
});

describe('withWaiting', () => {
  it('changes nothing within a minute of the same wait', () => {
    const noted = withWaiting(idle, nowMs + 5000);
    expect(noted.waitingUntil).toBe(nowMs + 65_000);
    expect(withWaiting(noted, nowMs + 60_000)).toBe(noted);
    expect(withWaiting(noted, nowMs + 66_000)).not.toBe(noted);
  });
});

describe('withoutQuota', () => {
  it('gives no slots until the limits were read again', () => {
    const until = nowMs + 60_000;
    const limiter = withoutQuota(idle, until);
    expect(reserve(limiter, [1], nowMs, horizonMs).slots).toEqual([]);
    expect(askAgainAt(limiter, 1, horizonMs)).toBe(until);
  });
});

describe('slotRate', () => {
  it('leaves a quarter of a second between the sends of the sandbox, and a tenth of a high rate', () => {
    expect(1 / slotRate(1)).toBeGreaterThan(1.35);
    expect(slotRate(14) / 14).toBeGreaterThan(0.88);
    expect(slotRate(500) / 500).toBeCloseTo(0.9, 3);
  });
});

describe('laneWaitSeconds', () => {
  it('is the wait in whole seconds, from 1', () => {
    expect(laneWaitSeconds(-5, 1)).toBe(1);
    expect(laneWaitSeconds(4200, 1)).toBe(5);
  });

  it('keeps a message that never gets a slot below 1,000 receives in the 14 days that SQS keeps it', () => {
    let seconds = 0;
    let receives = 0;
    while (seconds < 14 * 86_400) seconds += laneWaitSeconds(1000, ++receives);
    expect(receives).toBeLessThan(1000);
  });
});
