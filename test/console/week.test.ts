/** The week that one paints, and the windows that it stands for (docs/concepts/pacing.md#rules). */
import { describe, expect, it } from 'vitest';
import {
  daysText,
  isAligned,
  minuteOf,
  rectangle,
  slotAt,
  weekOf,
  windowsOf,
  windowText,
} from '../../console/src/pages/pacing/week.ts';

const office = { days: [1, 2, 3, 4, 5], start_minute: 540, end_minute: 1020 };

describe('a week and its windows', () => {
  it.each([
    ['office hours', [office]],
    ['all day, every day', [{ days: [1, 2, 3, 4, 5, 6, 0], start_minute: 0, end_minute: 1440 }]],
    [
      'a hole',
      [
        { days: [1, 3], start_minute: 540, end_minute: 720 },
        { days: [1, 3], start_minute: 780, end_minute: 1020 },
      ],
    ],
    ['nothing', []],
  ])('turns %s into half hours and back', (_, windows) => {
    expect(windowsOf(weekOf(windows))).toEqual(windows);
  });

  it('splits a window that ends on the next day, also from Saturday to Sunday', () => {
    expect(windowsOf(weekOf([{ days: [6], start_minute: 1320, end_minute: 120 }]))).toEqual([
      { days: [6], start_minute: 1320, end_minute: 1440 },
      { days: [0], start_minute: 0, end_minute: 120 },
    ]);
  });

  it('opens a day from midnight to midnight where start and end are the same', () => {
    expect(weekOf([{ days: [2], start_minute: 0, end_minute: 0 }]).size).toBe(48);
  });

  it('opens half hours of which a part is open, and says that painting rounds', () => {
    const windows = [{ days: [2], start_minute: 615, end_minute: 645 }];
    expect(isAligned(windows)).toBe(false);
    expect(windowsOf(weekOf(windows))).toEqual([{ days: [2], start_minute: 600, end_minute: 660 }]);
  });

  it('paints the rectangle between two corners, whichever comes first; the week begins on Monday', () => {
    const corners = [slotAt(1, 18), slotAt(0, 19)] as const;
    expect(rectangle(corners[0], corners[1])).toHaveLength(14);
    expect(rectangle(corners[1], corners[0])).toEqual(rectangle(corners[0], corners[1]));
  });
});

describe('a window as text', () => {
  it.each([
    [[1, 2, 3, 4, 5], 'Mon–Fri'],
    [[5, 1, 3], 'Mon, Wed, Fri'],
    [[6, 0], 'Sat, Sun'],
    [[0, 1, 2, 3, 4, 5, 6], 'Every day'],
  ])('names the days %j as %s', (days, expected) => {
    expect(daysText(days)).toBe(expected);
  });

  it('says that it ends on the next day', () => {
    expect(windowText({ days: [5], start_minute: 1320, end_minute: 60 })).toBe(
      'Fri 22:00–01:00 of the next day',
    );
    expect(windowText(office)).toBe('Mon–Fri 09:00–17:00');
  });

  it.each([
    ['09:30', 570],
    ['9:30', 570],
    ['24:00', 1440],
    ['24:01', undefined],
    ['9.30', undefined],
    ['10:60', undefined],
    ['', undefined],
  ])('reads the time %j as %s', (text, expected) => {
    expect(minuteOf(text)).toBe(expected);
  });
});
