/** The TypeScript library: how long it waits before the next attempt. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryAfterOf } from '../../clients/typescript/src/answers.ts';
import { fateOfLoss, waitMs } from '../../clients/typescript/src/retry.ts';

describe('waitMs', () => {
  it('doubles up to eight seconds, with a jitter of half of it', () => {
    const waits = [1, 2, 3, 4, 5, 6, 50].map((attempt) => [
      waitMs(attempt, null, 0),
      waitMs(attempt, null, 1),
    ]);
    expect(waits).toEqual([
      [250, 500],
      [500, 1000],
      [1000, 2000],
      [2000, 4000],
      [4000, 8000],
      [4000, 8000],
      [4000, 8000],
    ]);
  });

  it('is never shorter than Retry-After, and gives up beyond a minute', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.double({ min: 0, max: 60, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempt, retryAfter, random) => {
          const wait = waitMs(attempt, retryAfter, random) ?? Number.NaN;
          expect(wait).toBeGreaterThanOrEqual(Math.floor(retryAfter * 1000));
          expect(wait).toBeLessThanOrEqual(retryAfter * 1000 + 4001);
        },
      ),
    );
    expect(waitMs(1, 60.1, 0)).toBeNull();
  });
});

describe('retryAfterOf', () => {
  const now = Date.parse('2026-01-31T12:00:00Z');
  it.each([
    [null, null],
    ['3', 3],
    [' 0 ', 0],
    ['1.5', 1.5],
    ['Sat, 31 Jan 2026 12:00:10 GMT', 10],
    ['Sat, 31 Jan 2026 11:00:00 GMT', 0],
    ['-5', null],
    ['soon', null],
    ['9'.repeat(5000), null],
    ['', null],
  ])('reads %j as %j', (value, seconds) => {
    expect(retryAfterOf(value, now)).toBe(seconds);
  });
});

describe('fateOfLoss', () => {
  it('knows connections that were never made, with whatever wraps the code', () => {
    const inner = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
    expect(fateOfLoss(inner)).toBe('refused');
    expect(fateOfLoss(new TypeError('fetch failed', { cause: inner }))).toBe('refused');
    for (const cause of [new Error('socket hang up'), null, undefined, 'x', { code: 'ECONNRESET' }]) {
      expect(fateOfLoss(cause)).toBe('unknown');
    }
  });
});
