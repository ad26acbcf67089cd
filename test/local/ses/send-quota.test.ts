import { describe, expect, it } from 'vitest';
import { createSendQuota } from '../../../lib/local/ses/send-quota.ts';

function quota(sendsPerSecond: number, sendsPerDay: number) {
  let at = Date.UTC(2026, 10, 21);
  const created = createSendQuota({ sendsPerSecond, sendsPerDay, hoursPerDay: 24 }, () => at);
  return { ...created, advance: (seconds: number) => (at += seconds * 1000) };
}

describe('createSendQuota', () => {
  it('throttles above the maximum send rate', () => {
    const { take, advance } = quota(2, 1000);
    take(1);
    take(1);
    expect(() => take(1)).toThrow(
      expect.objectContaining({
        code: 'TooManyRequestsException',
        message: 'Maximum sending rate exceeded.',
      }),
    );
    advance(0.5);
    take(1);
    expect(() => take(1)).toThrow('Maximum sending rate exceeded.');
  });

  it('accepts a message with more recipients than the rate, and then none until they are made up for', () => {
    const { take, advance } = quota(1, 1000);
    take(5);
    advance(4);
    expect(() => take(1)).toThrow('Maximum sending rate exceeded.');
    advance(1);
    take(1);
  });

  it('throttles above the quota of the last 24 hours, and reports it', () => {
    const { take, advance, report } = quota(100, 3);
    take(2);
    advance(3600);
    take(1);
    expect(() => take(1)).toThrow('Daily message quota exceeded.');
    expect(report()).toEqual({ Max24HourSend: 3, MaxSendRate: 100, SentLast24Hours: 3 });
    advance(23 * 3600);
    expect(report().SentLast24Hours).toBe(1);
    take(2);
    expect(() => take(1)).toThrow('Daily message quota exceeded.');
  });
});
