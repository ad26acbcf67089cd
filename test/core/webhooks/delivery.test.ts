/** States of deliveries after attempts. */
import { describe, expect, it } from 'vitest';
import { composeId, idTime } from '../../../lib/core/ids.ts';
import { afterAttempt, deliveryIdOf, newDelivery } from '../../../lib/core/webhooks/delivery.ts';
import { deadlineAfterMs } from '../../../lib/core/webhooks/retry.ts';

const eventId = composeId('evt', 1_700_000_000_000, new Uint8Array(10).fill(7));
const endpointId = composeId('whk', 1, new Uint8Array(10).fill(1));
const otherEndpointId = composeId('whk', 1, new Uint8Array(10).fill(2));
const middle = () => 0.5;
const minuteMs = 60_000;

describe('deliveryIdOf', () => {
  it('returns the same id when event and endpoint are the same', () => {
    expect(deliveryIdOf(eventId, endpointId)).toBe(deliveryIdOf(eventId, endpointId));
    expect(deliveryIdOf(eventId, endpointId)).not.toBe(deliveryIdOf(eventId, otherEndpointId));
  });

  it('has the time of the event', () => {
    expect(deliveryIdOf(eventId, endpointId)).toMatch(/^dlv_[0-9a-f]{32}$/);
    expect(idTime(deliveryIdOf(eventId, endpointId))).toBe(idTime(eventId));
  });
});

describe('newDelivery', () => {
  it('has its first attempt due at once', () => {
    const event = { id: eventId, type: 'email.sent', expiresAt: 9000 } as const;
    expect(newDelivery(event, endpointId, 1000)).toEqual({
      id: deliveryIdOf(eventId, endpointId),
      endpointId,
      eventId,
      eventType: 'email.sent',
      state: 'pending',
      createdAt: 1000,
      expiresAt: 9000,
      body: null,
      replay: 0,
      replayStartedAt: 1000,
      attemptDue: 1,
      nextAttemptAt: 1000,
      attempts: [],
    });
  });
});

describe('afterAttempt', () => {
  const first = { attemptDue: 1, replayStartedAt: 0 };
  const answer = (statusCode: number | null, retryAfter: string | null = null) => ({
    statusCode,
    retryAfter,
  });

  it.each([200, 204, 299])('is delivered when the status is %i', (status) => {
    const after = afterAttempt(first, answer(status), 0, middle);
    expect(after).toEqual({ state: 'delivered', nextAttemptAt: null });
  });

  it.each([null, 199, 301, 304, 404, 429, 500])('schedules a retry when the status is %s', (status) => {
    const after = afterAttempt(first, answer(status), 0, middle);
    expect(after).toEqual({ state: 'pending', nextAttemptAt: minuteMs });
  });

  it('waits for Retry-After, up to the deadline', () => {
    expect(afterAttempt(first, answer(503, '7'), 0, middle).nextAttemptAt).toBe(7000);
    expect(afterAttempt(first, answer(503, '999999'), 0, middle).nextAttemptAt).toBe(deadlineAfterMs);
  });

  it('is failed when no attempt or no time is left', () => {
    const failed = { state: 'failed', nextAttemptAt: null };
    expect(afterAttempt({ attemptDue: 7, replayStartedAt: 0 }, answer(500), 0, middle)).toEqual(failed);
    expect(afterAttempt(first, answer(500), deadlineAfterMs, middle)).toEqual(failed);
  });

  it('continues the schedule when the attempt was skipped', () => {
    const third = { attemptDue: 3, replayStartedAt: 0 };
    expect(afterAttempt(third, null, 0, middle)).toEqual({ state: 'pending', nextAttemptAt: 30 * minuteMs });
    expect(afterAttempt({ ...third, attemptDue: 7 }, null, 0, middle).state).toBe('failed');
  });
});
