import { describe, expect, it } from 'vitest';
import { composeId } from '../../../lib/core/ids.ts';
import { nextPollAt, nextRetryAt, renewAt, syncTimes } from '../../../lib/core/mailboxes/schedule.ts';

const minute = 60_000;
const mailboxes = Array.from({ length: 5000 }, (_, at) => {
  const bytes = new Uint8Array(10);
  new DataView(bytes.buffer).setUint32(0, at);
  return composeId('mbx', 1_700_000_000_000, bytes);
});

/** Least and most of the times that fall into one of `parts` equal parts of `span`. */
function evenness(times: readonly number[], from: number, span: number, parts: number) {
  const counts = new Array<number>(parts).fill(0);
  for (const time of times) {
    const part = Math.floor(((time - from) / span) * parts);
    counts[part] = (counts[part] ?? 0) + 1;
  }
  return { least: Math.min(...counts), most: Math.max(...counts), parts: counts.length };
}

describe('nextPollAt', () => {
  it('spreads mailboxes evenly over the interval, whenever they were connected', () => {
    const now = 1_700_000_000_000;
    const times = mailboxes.map((id) => nextPollAt(id, now, true));
    const interval = syncTimes.pollWithPushMs;
    const { least, most, parts } = evenness(times, now + interval / 2, interval, 10);
    expect({ isFair: least > 400 && most < 600, parts }).toEqual({ isFair: true, parts: 10 });
  });

  it('comes back at the same place of the next interval', () => {
    const [id] = mailboxes;
    if (!id) throw new Error('no mailbox');
    const first = nextPollAt(id, 1_700_000_000_000, true);
    expect([nextPollAt(id, first, true) - first, nextPollAt(id, first + 1000, true) - first]).toEqual([
      syncTimes.pollWithPushMs,
      syncTimes.pollWithPushMs,
    ]);
  });

  it('is at least half an interval away, and comes more often without pushes', () => {
    const now = 1_700_000_000_000;
    for (const id of mailboxes.slice(0, 200)) {
      expect(nextPollAt(id, now, true) - now).toBeGreaterThanOrEqual(5 * minute);
      expect(nextPollAt(id, now, false) - now).toBeLessThanOrEqual(3 * minute);
    }
  });
});

describe('renewAt', () => {
  it('lies between half and three quarters of the time, spread evenly', () => {
    const day = 86_400_000;
    const times = mailboxes.map((id) => renewAt(id, { id: null, expiresAt: 8 * day }, 0));
    const { least, most } = evenness(times, 4 * day, 2 * day, 10);
    expect({ isFair: least > 400 && most < 600 }).toEqual({ isFair: true });
  });
});

describe('nextRetryAt', () => {
  it('doubles, up to a quarter of an hour, with the second half at random', () => {
    const waits = [1, 2, 3, 6, 50].map((failures) => [
      nextRetryAt(0, failures, null, 0),
      nextRetryAt(0, failures, null, 1),
    ]);
    expect(waits).toEqual([
      [15_000, 30_000],
      [30_000, 60_000],
      [60_000, 120_000],
      [7.5 * minute, 15 * minute],
      [7.5 * minute, 15 * minute],
    ]);
  });

  it('never comes before Retry-After, and believes at most a day of it', () => {
    expect(nextRetryAt(0, 1, 120_000, 0)).toBeGreaterThan(120_000);
    expect(nextRetryAt(0, 1, Number.POSITIVE_INFINITY, 0)).toBeLessThan(25 * 60 * minute);
  });
});
