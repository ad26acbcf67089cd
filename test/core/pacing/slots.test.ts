import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterHandOff,
  gapMs,
  openAt,
  type Pace,
  projectedAt,
  type Slots,
  toleranceMs,
} from '../../../lib/core/pacing/slots.ts';

const start = Date.parse('2026-01-05T08:00:00Z');
const pace = (amount: number, perSeconds: number, spread = 0): Pace => ({
  amount,
  perSeconds,
  spread,
  seed: 'pace_1 anna@example.com',
});

/** Times at which `count` messages leave that all wait from `from`. @param late how late each one leaves */
function drain(of: Pace, count: number, from = start, late: (number: number) => number = () => 0): number[] {
  let slots: Slots | null = null;
  let now = from;
  return Array.from({ length: count }, (_, number) => {
    now = Math.max(now, openAt(slots, of, now)) + late(number);
    slots = afterHandOff(slots && { ...slots, isAwaited: true }, of, now);
    return now;
  });
}

const inWindow = (times: readonly number[], perSeconds: number, end: number): number =>
  times.filter((time) => time > end - perSeconds * 1000 && time <= end).length;

describe('slots', () => {
  it('are even with a spread of 0', () => {
    const times = drain(pace(60, 3600), 200);
    const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
    expect(times[0]).toBe(start);
    expect(times[60]).toBe(start + 3_601_000);
  });

  it('are at random places with a spread of 100, as many in a period', () => {
    const times = drain(pace(60, 3600, 100), 121);
    const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    expect(Math.max(...gaps)).toBeGreaterThan(75_000);
    expect(Math.min(...gaps)).toBeLessThan(45_000);
    expect((times[120] ?? 0) - (times[60] ?? 0)).toBe(3_601_000);
  });

  it('of two scope values differ with a spread of 100', () => {
    const other = { ...pace(60, 3600, 100), seed: 'pace_1 bob@example.com' };
    expect(drain(other, 10)).not.toEqual(drain(pace(60, 3600, 100), 10));
  });

  it('let a message go at once after a pause, and no more than one', () => {
    const of = pace(10, 3600);
    const slots = afterHandOff(null, of, start);
    const later = start + 7_200_000;
    expect(openAt(slots, of, later)).toBeLessThanOrEqual(later);
    const after = afterHandOff(slots, of, later);
    expect(openAt(after, of, later)).toBe(Math.ceil(later + gapMs(of)));
  });

  it('never let a window have more than the amount, over changes of the rule, pauses and late messages', () => {
    const change = fc.record({
      amount: fc.integer({ min: 1, max: 12 }),
      perSeconds: fc.constantFrom(1, 7, 60, 600, 3600),
      spread: fc.constantFrom(0, 30, 100),
    });
    const step = fc.oneof(
      {
        weight: 12,
        arbitrary: fc.record({ lateMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5000 })) }),
      },
      { weight: 2, arbitrary: fc.record({ pauseMs: fc.integer({ min: 0, max: 2_000_000 }) }) },
      { weight: 1, arbitrary: change },
    );
    fc.assert(
      fc.property(change, fc.array(step, { minLength: 20, maxLength: 120 }), (first, steps) => {
        let of: Pace = { ...first, seed: 's' };
        let slots: Slots | null = null;
        let now = start;
        const times: number[] = [];
        for (const one of steps) {
          if ('amount' in one) of = { ...one, seed: 's' };
          else if ('pauseMs' in one) {
            now += one.pauseMs;
          } else {
            const open = openAt(slots, of, now);
            const isAwaited: boolean = open > now;
            now = Math.max(now, open) + one.lateMs;
            slots = afterHandOff(slots && { ...slots, isAwaited }, of, now);
            times.push(now);
            expect(inWindow(times, of.perSeconds, now)).toBeLessThanOrEqual(of.amount);
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  it('lose no more than the tolerance of each period while emails wait', () => {
    const tens = fc.integer({ min: 0, max: 10 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom(1, 60, 3600),
        fc.array(tens, { minLength: 1 }),
        (amount, perSeconds, lates) => {
          const tolerance = toleranceMs(perSeconds);
          const late = (number: number) =>
            Math.floor(((lates[number % lates.length] ?? 0) / 10) * (tolerance - 2));
          const times = drain(pace(amount, perSeconds), amount * 5 + 1, start, late);
          const last = times.at(-1) ?? 0;
          expect(last - start).toBeLessThanOrEqual(5 * (perSeconds * 1000 + tolerance) + 2 * tolerance + 2);
        },
      ),
    );
  });

  it('open soon after the amount of a rule was raised', () => {
    let slots: Slots | null = null;
    let now = start;
    for (let sent = 0; sent < 5; sent++) {
      now = Math.max(now, openAt(slots, pace(1, 3600), now));
      slots = afterHandOff(slots, pace(1, 3600), now);
    }
    expect(openAt(slots, pace(100, 3600), now + 1000)).toBeLessThanOrEqual(now + 37_000);
  });

  it('count what left under the previous period', () => {
    const of = pace(100, 60);
    let slots: Slots | null = null;
    let now = start;
    for (let sent = 0; sent < 100; sent++) {
      now = Math.max(now, openAt(slots, of, now));
      slots = afterHandOff(slots, of, now);
    }
    const open = openAt(slots, pace(100, 86_400), now);
    expect(open).toBeGreaterThanOrEqual(start + 86_400_000);
  });

  it('keep a record of what left that hardly grows with its number', () => {
    let slots: Slots | null = null;
    for (let sent = 0; sent < 20_000; sent++) slots = afterHandOff(slots, pace(1000, 60), start + sent * 61);
    expect(slots?.handOffs.length).toBeLessThan(120);
    expect(slots?.handOffs.reduce((sum, { count }) => sum + count, 0)).toBe(20_000);
  });
});

describe('projectedAt', () => {
  it('is when the message leaves', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom(1, 60, 3600),
        fc.integer({ min: 0, max: 300 }),
        fc.constantFrom(0, 100),
        (amount, perSeconds, ahead, spread) => {
          const of = pace(amount, perSeconds, spread);
          const before = afterHandOff(null, of, start);
          let slots = before;
          let now = start + 10;
          const projected = projectedAt(before, of, ahead, now);
          for (let sent = 0; sent <= ahead; sent++) {
            now = Math.max(now, openAt(slots, of, now));
            slots = afterHandOff({ ...slots, isAwaited: true }, of, now);
          }
          expect(Math.abs(now - projected)).toBeLessThanOrEqual(1000);
        },
      ),
    );
  });

  it('is now where nothing has left yet', () => {
    expect(projectedAt(null, pace(10, 60), 0, start)).toBe(start);
  });
});
