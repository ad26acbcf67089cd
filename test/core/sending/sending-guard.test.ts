import { describe, expect, it } from 'vitest';
import {
  capsOf,
  capWaits,
  defaultCaps,
  type HourCount,
  hourOf,
  reasonToSuspend,
  unusedGuard,
} from '../../../lib/core/sending/sending-guard.ts';

const nowMs = Date.UTC(2026, 0, 10, 12, 30);
const dayMs = 86_400_000;

describe('capsOf', () => {
  it.each([
    [0, 200, 1000],
    [1, 400, 2000],
    [5, 6400, 32_000],
    [6, 10_000, 50_000],
    [4000, 10_000, 50_000],
  ])('on day %i of a workspace are %i recipients an hour and %i a day', (days, perHour, perDay) => {
    const createdAt = nowMs - days * dayMs - 1000;
    expect(capsOf({ caps: null }, defaultCaps, createdAt, nowMs)).toEqual({ perHour, perDay });
  });

  it('are those of the operator when there are some, from the first day on', () => {
    const caps = { perHour: 7, perDay: 9 };
    expect(capsOf({ caps }, defaultCaps, nowMs, nowMs)).toEqual(caps);
  });
});

describe('capWaits', () => {
  const caps = { perHour: 60, perDay: 240 };

  it('is nothing for all recipients of an unused cap', () => {
    expect(capWaits(unusedGuard, caps, 60, nowMs)).toEqual({ hour: 0, day: 0 });
  });

  it('is the time until each cap has refilled enough', () => {
    const spentHour = { ...unusedGuard, hourFullAt: nowMs + 3_600_000 };
    expect(capWaits(spentHour, caps, 1, nowMs)).toEqual({ hour: 60_000, day: 0 });
    const spentDay = { ...spentHour, dayFullAt: nowMs + dayMs };
    expect(capWaits(spentDay, caps, 1, nowMs)).toEqual({ hour: 60_000, day: 360_000 });
  });
});

describe('reasonToSuspend', () => {
  const count = (hoursAgo: number, sent: number, bounced: number, complained: number): HourCount => ({
    hour: hourOf(nowMs) - hoursAgo,
    sent,
    bounced,
    complained,
  });
  const reason = (...counts: HourCount[]) => reasonToSuspend({ counts }, nowMs);

  it('is none while reports are few or below their share', () => {
    expect(reason()).toBe(null);
    expect(reason(count(0, 30, 24, 4))).toBe(null);
    expect(reason(count(0, 1000, 50, 3))).toBe(null);
  });

  it('is bounces above 5 %, summed over the last 24 hours', () => {
    expect(reason(count(0, 500, 26, 0), count(23, 500, 25, 0))).toBe('bounces');
    expect(reason(count(0, 520, 26, 0), count(24, 500, 25, 0))).toBe(null);
    expect(reason(count(0, 519, 26, 0), count(24, 500, 25, 0))).toBe('bounces');
  });

  it('is complaints above 0.3 %', () => {
    expect(reason(count(1, 1000, 0, 5))).toBe('complaints');
    expect(reason(count(1, 2000, 0, 6))).toBe(null);
  });
});
