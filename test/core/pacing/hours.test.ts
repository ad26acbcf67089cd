import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isOpen,
  isTimezone,
  nextClosing,
  nextOpening,
  type Schedule,
} from '../../../lib/core/pacing/hours.ts';

const at = (text: string): number => Date.parse(text);
const weekdays = [1, 2, 3, 4, 5];
const every = [0, 1, 2, 3, 4, 5, 6];
const berlin = (days: number[], startMinute: number, endMinute: number): Schedule => ({
  timezone: 'Europe/Berlin',
  windows: [{ days, startMinute, endMinute }],
});

describe('nextOpening', () => {
  it.each([
    ['within the window', berlin(weekdays, 540, 1020), '2026-01-05T10:00:00Z', '2026-01-05T10:00:00Z'],
    ['before the window', berlin(weekdays, 540, 1020), '2026-01-05T07:59:30Z', '2026-01-05T08:00:00Z'],
    ['at the end of the window', berlin(weekdays, 540, 1020), '2026-01-05T16:00:00Z', '2026-01-06T08:00:00Z'],
    ['on Friday evening', berlin(weekdays, 540, 1020), '2026-01-09T20:00:00Z', '2026-01-12T08:00:00Z'],
    [
      'over a change to summer time',
      berlin(weekdays, 540, 1020),
      '2026-03-27T20:00:00Z',
      '2026-03-30T07:00:00Z',
    ],
    [
      'over a change to winter time',
      berlin(weekdays, 540, 1020),
      '2026-10-23T20:00:00Z',
      '2026-10-26T08:00:00Z',
    ],
    ['past midnight', berlin([6], 1320, 120), '2026-01-04T00:30:00Z', '2026-01-04T00:30:00Z'],
    ['after a window past midnight', berlin([6], 1320, 120), '2026-01-04T01:00:00Z', '2026-01-10T21:00:00Z'],
    ['in a window that is skipped', berlin([0], 120, 180), '2026-03-29T00:00:00Z', '2026-04-05T00:00:00Z'],
    [
      'in a window whose start is skipped',
      berlin([0], 150, 240),
      '2026-03-29T00:59:00Z',
      '2026-03-29T01:00:00Z',
    ],
    ['in a window that is repeated', berlin([0], 120, 150), '2026-10-25T00:40:00Z', '2026-10-25T01:00:00Z'],
    ['on a whole day', berlin([3], 0, 1440), '2026-01-06T22:59:59Z', '2026-01-06T23:00:00Z'],
    ['from 24:00', berlin([3], 1440, 60), '2026-01-07T12:00:00Z', '2026-01-07T23:00:00Z'],
  ])('finds the time %s', (_, schedule, from, expected) => {
    expect(new Date(nextOpening(schedule, at(from))).toISOString()).toBe(
      new Date(at(expected)).toISOString(),
    );
  });

  it('is the first open minute, in any time zone, at any time of the year', () => {
    const minute = fc.integer({ min: 0, max: 1440 });
    const windows = fc.array(
      fc.record({
        days: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
        startMinute: minute,
        endMinute: minute,
      }),
      { minLength: 1, maxLength: 3 },
    );
    const zones = [
      'Europe/Berlin',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'Asia/Kathmandu',
      'UTC',
    ];
    const time = fc.oneof(
      fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z') }),
      fc.integer({ min: at('2026-03-28T00:00:00Z'), max: at('2026-03-30T00:00:00Z') }),
      fc.integer({ min: at('2026-10-03T12:00:00Z'), max: at('2026-10-04T12:00:00Z') }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...zones), windows, time, (timezone, list, from) => {
        const schedule = { timezone, windows: list };
        const opening = nextOpening(schedule, from);
        expect(isOpen(schedule, opening)).toBe(true);
        const closing = nextClosing(schedule, from);
        const first = Math.floor(from / 60_000 + 1) * 60_000;
        // Nothing in between, looked at for a day.
        for (
          let step = first;
          step < Math.min(first + 86_400_000, Math.max(opening, closing));
          step += 60_000
        ) {
          if (step < opening) expect(isOpen(schedule, step)).toBe(false);
          if (step < closing) expect(isOpen(schedule, step)).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('nextClosing', () => {
  it('is at the end of the last of the windows that touch', () => {
    const schedule: Schedule = {
      timezone: 'Europe/Berlin',
      windows: [
        { days: [1], startMinute: 540, endMinute: 720 },
        { days: [1], startMinute: 720, endMinute: 780 },
      ],
    };
    expect(new Date(nextClosing(schedule, at('2026-01-05T09:00:00Z'))).toISOString()).toBe(
      '2026-01-05T12:00:00.000Z',
    );
  });

  it('is two weeks later when the schedule is always open', () => {
    const from = at('2026-01-05T09:00:00Z');
    expect(nextClosing(berlin(every, 0, 1440), from)).toBe(from + 14 * 86_400_000);
  });
});

describe('isTimezone', () => {
  it.each(['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])('accepts %s', (name) => {
    expect(isTimezone(name)).toBe(true);
  });
  it.each(['+01:00', 'Europe/Atlantis', '', 'Europe/Berlin\n', 'x'.repeat(500)])('refuses %j', (name) => {
    expect(isTimezone(name)).toBe(false);
  });
});
