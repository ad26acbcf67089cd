import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isExpired, resumeAt } from '../../lib/core/region-backoff.ts';

const minuteMs = 60_000;
const day = { since: 0, until: 24 * 60 * minuteMs, last: 24 * 60 * minuteMs };
const minutes = { since: 0, until: 10 * minuteMs, last: 10 * minuteMs };

describe('the turn of a mail that waits for SES', () => {
  it('is when SES is asked again for the mail that waits longest, and for what is older', () => {
    expect(resumeAt(minutes, minutes.since)).toBe(minutes.until);
    expect(resumeAt(minutes, minutes.since - minuteMs)).toBe(minutes.until);
  });

  it.each([
    ['half the time it was queued in', minutes, 5 * minuteMs],
    ['ten minutes at most', day, 10 * minuteMs],
  ])('comes for all that waited within %s', (_, hold, drainMs) => {
    expect(resumeAt(hold, hold.last)).toBe(hold.until + drainMs);
    expect(isExpired(hold, hold.until + drainMs - 1)).toBe(false);
    expect(isExpired(hold, hold.until + drainMs)).toBe(true);
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
