/** Decisions of the dispatch of deliveries. */
import { describe, expect, it } from 'vitest';
import {
  deliverWebhookWorker,
  deliveryTimeoutSeconds,
} from '../../../functions/workers/deliver-webhook.contract.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import {
  announcementFor,
  expiryGraceMs,
  mayWait,
  newDispatchState,
  nextSessionAt,
  roomFor,
  session,
  shownNextAttempt,
  withoutEndedLease,
} from '../../../lib/core/webhooks/dispatch.ts';
import { newHealth } from '../../../lib/core/webhooks/health.ts';

const at = 1_000_000;
const idle = newDispatchState;
const probed = { ...newHealth, failures: 5, nextProbeAt: at + 30_000 };
const lease = { token: 'one', until: at + 1, endsWith: null };

describe('announcementFor', () => {
  it.each([
    ['hand over', 'the endpoint is idle', idle],
    ['hand over', 'the lease has expired', { ...idle, lease: { ...lease, until: at } }],
    ['ask again', 'a worker has the lease', { ...idle, lease }],
    ['wait', 'a message is in the queue', { ...idle, calledUntil: at + 1 }],
    ['hand over', 'the message is overdue', { ...idle, calledUntil: at }],
    ['wait', 'the worker was asked already', { ...idle, lease, again: true }],
    ['wait', 'a timer is set before the next probe', { ...idle, health: probed, wakeAt: at + 30_000 }],
    ['call', 'no timer is set before the next probe', { ...idle, health: probed }],
    ['call', 'the timer is later than the probe', { ...idle, health: probed, wakeAt: at + 30_001 }],
    ['call', 'the timer has fired', { ...idle, health: probed, wakeAt: at }],
    ['hand over', 'the probe is due', { ...idle, health: { ...probed, nextProbeAt: at } }],
  ])('is %s when %s', (announcement, _, state) => {
    expect(announcementFor(state, null, at)).toBe(announcement);
  });

  const handOver = { sessions: 3, until: at + 1 };
  it.each([
    ['note', 'no session has begun since', { ...idle, sessions: 3 }, handOver],
    [
      'wait',
      'no session has begun since, as was noted',
      { ...idle, sessions: 3, calledUntil: at + 1 },
      handOver,
    ],
    ['hand over', 'a session has begun and ended since', { ...idle, sessions: 4 }, handOver],
    ['ask again', 'a session has begun', { ...idle, sessions: 4, lease }, handOver],
    ['hand over', 'its message is overdue', { ...idle, sessions: 3 }, { ...handOver, until: at }],
  ])('is %s after a hand-over when %s', (announcement, _, state, remembered) => {
    expect(announcementFor(state, remembered, at)).toBe(announcement);
  });
});

describe('withoutEndedLease', () => {
  const facts = { id: newId('dlv'), endpointId: newId('whk'), eventId: newId('evt') };
  const endsWith = { ...facts, eventType: 'email.sent', createdAt: 1, expiresAt: null } as const;
  const held = { ...idle, sessions: 3, lease: { ...lease, endsWith } };

  it('leaves out a lease when the record of its delivery has ended its session', () => {
    expect(withoutEndedLease(held, { endedSession: 3 })).toEqual({ ...held, lease: null });
  });

  it.each([
    ['its delivery is not stored', held, null],
    ['its delivery is recorded and the session goes on', held, { endedSession: null }],
    ['the record has ended an earlier session', held, { endedSession: 2 }],
    ['a release ends it', { ...held, lease }, { endedSession: 3 }],
  ])('keeps a lease when %s', (_, state, delivery) => {
    expect(withoutEndedLease(state, delivery)).toBe(state);
  });
});

describe('mayWait', () => {
  it('is false at an endpoint whose last session left nothing', () => {
    expect(mayWait({ ...idle, sessions: 3 })).toBe(false);
  });

  it.each([
    ['a worker died', { lease: { ...lease, until: at - 1 } }],
    ['a worker was asked to look again', { again: true }],
    ['a publisher counts on the session', { calledUntil: at - 1 }],
    ['the last session was handed over', { calledUntil: 0 }],
    ['a timer is set', { wakeAt: at + 1 }],
    ['a timer has fired', { wakeAt: at - 1 }],
  ])('is true when %s', (_, state) => {
    expect(mayWait({ ...idle, ...state })).toBe(true);
  });
});

describe('roomFor', () => {
  const worker = { lane: 'slow', running: 3, maxConcurrency: 16 } as const;

  it('is what is left of max_concurrency', () => {
    expect(roomFor(newHealth, worker, at)).toBe(13);
    expect(roomFor(newHealth, { ...worker, maxConcurrency: 2 }, at)).toBe(0);
  });

  it('is none for a worker of the fast lane when the endpoint is slow', () => {
    expect(roomFor({ ...newHealth, lane: 'slow' }, { ...worker, lane: 'fast' }, at)).toBe(0);
    expect(roomFor({ ...newHealth, lane: 'slow' }, worker, at)).toBe(13);
  });

  it('is one at the time of a probe, and none before', () => {
    expect(roomFor(probed, { ...worker, running: 0 }, at)).toBe(0);
    expect(roomFor(probed, { ...worker, running: 0 }, at + 30_000)).toBe(1);
    expect(roomFor(probed, { ...worker, running: 1 }, at + 30_000)).toBe(0);
  });
});

describe('nextSessionAt', () => {
  it('is null when nothing waits', () => {
    expect(nextSessionAt(newHealth, { dueAt: null, expiresAt: null }, at)).toBeNull();
  });

  it('is when the first delivery is due, and not before the next probe', () => {
    expect(nextSessionAt(newHealth, { dueAt: at + 5, expiresAt: null }, at)).toBe(at + 5);
    expect(nextSessionAt(probed, { dueAt: at - 5, expiresAt: null }, at)).toBe(at + 30_000);
    expect(nextSessionAt(probed, { dueAt: at + 3_600_000, expiresAt: null }, at)).toBe(at + 3_600_000);
  });

  it('is when a delivery expires that waits for a probe, at most every 30 seconds', () => {
    const later = { ...probed, nextProbeAt: at + 300_000 };
    expect(nextSessionAt(later, { dueAt: at, expiresAt: at + 60_000 }, at)).toBe(at + 60_000);
    expect(nextSessionAt(later, { dueAt: at, expiresAt: at + 1 }, at)).toBe(at + 30_000);
  });
});

describe('shownNextAttempt', () => {
  it('is not before the next probe, nor after the deadline because of it', () => {
    expect(shownNextAttempt(newHealth, at, at + 60_000)).toBe(at);
    expect(shownNextAttempt(probed, at, at + 60_000)).toBe(at + 30_000);
    expect(shownNextAttempt(probed, at, at + 10_000)).toBe(at + 10_000);
    expect(shownNextAttempt(probed, at + 40_000, at + 60_000)).toBe(at + 40_000);
  });
});

describe('a session', () => {
  it('ends before its function, that before the lease, and the lease before the visibility timeout', () => {
    const longestAttemptMs = 30_000;
    const timeoutMs = deliveryTimeoutSeconds * 1000;
    expect(session.startsMs.slow + longestAttemptMs).toBeLessThan(timeoutMs);
    expect(timeoutMs).toBeLessThan(session.leaseMs);
    expect(session.leaseMs).toBeLessThan(6 * timeoutMs);
    expect(deliverWebhookWorker.timeoutSeconds).toBe(deliveryTimeoutSeconds);
    expect(expiryGraceMs).toBeGreaterThan(session.startsMs.slow);
  });
});
