import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isExpired, resumeAt } from '../../lib/core/region-backoff.ts';

const minuteMs = 60_000;
const day = { since: 0, until: 24 * 60 * minuteMs, last: 24 * 60 * minuteMs };
const minutes = { since: 0, until: 10 * minuteMs, last: 10 * minuteMs };

describe('resumeAt', () => {
  it('is the end of the backoff when the email is the oldest that waits, or older', () => {
    expect(resumeAt(minutes, minutes.since)).toBe(minutes.until);
    expect(resumeAt(minutes, minutes.since - minuteMs)).toBe(minutes.until);
  });

  it.each([
    ['half the time it was queued in', minutes, 5 * minuteMs],
    ['ten minutes at most', day, 10 * minuteMs],
  ])('resumes all waiting mail within %s', (_, backoff, drainMs) => {
    expect(resumeAt(backoff, backoff.last)).toBe(backoff.until + drainMs);
    expect(isExpired(backoff, backoff.until + drainMs - 1)).toBe(false);
    expect(isExpired(backoff, backoff.until + drainMs)).toBe(true);
  });

  it('keeps the order of queueing', () => {
    const time = fc.integer({ min: 0, max: 30 * minuteMs });
    fc.assert(
      fc.property(time, time, (a, b) => {
        expect(Math.sign(resumeAt(minutes, a) - resumeAt(minutes, b))).toBe(Math.sign(a - b));
      }),
    );
  });
});
