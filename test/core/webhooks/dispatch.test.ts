/** Decisions of the dispatch of deliveries. */
import { describe, expect, it } from 'vitest';
import { deliverWebhookWorker } from '../../../functions/workers/deliver-webhook.contract.ts';
import {
  bringBackCount,
  clockToleranceMs,
  type DispatchState,
  dispatch,
  isOverdue,
  isQueued,
  mustBringBack,
  newDispatchState,
  planUnits,
  shownNextAttempt,
} from '../../../lib/core/webhooks/dispatch.ts';
import { newHealth } from '../../../lib/core/webhooks/health.ts';

const at = 1_000_000;
const healthy = { ...newHealth, succeededAt: 1 };
const closedHealth = { ...newHealth, failures: 5, nextProbeAt: at + 30_000 };
const idle: DispatchState = { ...newDispatchState, health: healthy };
const closed: DispatchState = { ...idle, health: closedHealth };
const held = (units: number, until: number): Partial<DispatchState> => ({
  inUse: units,
  holders: new Map([['other', { units, until }]]),
});

describe('a new delivery', () => {
  it.each([
    [true, 'the endpoint is open', idle, at],
    [true, 'all units are in use', { ...idle, ...held(16, at + 1) }, at],
    [true, 'the endpoint is new', newDispatchState, at],
    [false, 'a new one has not answered yet', { ...newDispatchState, ...held(1, at + 1) }, at],
    [false, 'others wait', { ...idle, backlog: 'mark' }, at],
    [false, 'the endpoint is closed', closed, at],
    [true, 'the time of the probe has come', closed, at + 30_000],
    [true, 'the probe is due within the tolerance of clocks', closed, at + 30_000 - clockToleranceMs],
  ])('goes to the queue: %s, when %s', (expected, _, state, nowMs) => {
    expect(isQueued(state, nowMs)).toBe(expected);
  });
});

describe('planUnits', () => {
  const wish = { wanted: 10, maxConcurrency: 16 };

  it('takes what is wanted and free', () => {
    expect(planUnits(idle, wish, at)).toMatchObject({ units: 10, freed: 0, limit: 16, isProbe: false });
    expect(planUnits({ ...idle, ...held(13, at + 1) }, wish, at)?.units).toBe(3);
    expect(planUnits({ ...idle, ...held(16, at + 1) }, wish, at)).toBeNull();
  });

  it('takes none when max_concurrency has been lowered below what is in use', () => {
    expect(planUnits({ ...idle, ...held(16, at + 1) }, { ...wish, maxConcurrency: 2 }, at)).toBeNull();
  });

  it('takes the units of holders that have ended', () => {
    const plan = planUnits({ ...idle, ...held(16, at) }, wish, at);
    expect(plan).toEqual({ units: 10, expired: ['other'], freed: 16, limit: 16, isProbe: false });
  });

  it('takes no more than would close an endpoint that has not answered, or that fails', () => {
    expect(planUnits(newDispatchState, wish, at)?.units).toBe(5);
    expect(planUnits({ ...newDispatchState, ...held(4, at + 1) }, wish, at)?.units).toBe(1);
    const failing = { ...idle, health: { ...healthy, failures: 2 } };
    expect(planUnits({ ...failing, ...held(1, at + 1) }, wish, at)?.units).toBe(2);
  });

  it('takes one of a closed endpoint at the time of its probe, and none before', () => {
    expect(planUnits(closed, wish, at)).toBeNull();
    expect(planUnits(closed, wish, at + 30_000)).toMatchObject({ units: 1, isProbe: true });
  });
});

describe('mustBringBack', () => {
  const waits = { ...idle, backlog: 'mark' };
  it.each([
    [false, 'nothing waits', idle, true],
    [true, 'a worker has returned its units', { ...waits, ...held(1, at + 1) }, true],
    [false, 'another worker will', { ...waits, ...held(1, at + 1) }, false],
    [true, 'that worker has died', { ...waits, ...held(1, at) }, false],
    [true, 'nobody is there', waits, false],
    [false, 'the endpoint is closed', { ...closed, backlog: 'mark' }, true],
  ])('is %s when %s', (expected, _, state, isHolder) => {
    expect(mustBringBack(state, isHolder, at)).toBe(expected);
  });

  it('is true at the time of a probe', () => {
    expect(mustBringBack({ ...closed, backlog: 'mark' }, false, at + 30_000)).toBe(true);
  });
});

describe('bringBackCount', () => {
  it('is twice what was attempted, within one transaction, and one at a closed endpoint', () => {
    expect([0, 1, 10, 60].map((attempted) => bringBackCount(idle, attempted))).toEqual([10, 2, 20, 99]);
    expect(bringBackCount(closed, 10)).toBe(1);
  });
});

describe('isOverdue', () => {
  it('is true a minute after the deadline, at which an attempt may be due', () => {
    expect(isOverdue(at, at + 59_999)).toBe(false);
    expect(isOverdue(at, at + 60_000)).toBe(true);
  });
});

describe('shownNextAttempt', () => {
  it('is not before the next probe, nor after the deadline because of it', () => {
    expect(shownNextAttempt(newHealth, at, at + 60_000)).toBe(at);
    expect(shownNextAttempt(closedHealth, at, at + 60_000)).toBe(at + 30_000);
    expect(shownNextAttempt(closedHealth, at, at + 10_000)).toBe(at + 10_000);
    expect(shownNextAttempt(closedHealth, at + 40_000, at + 60_000)).toBe(at + 40_000);
  });
});

describe('units', () => {
  it('outlast the function, which ends after its last attempt, and expire before SQS repeats its messages', () => {
    const longestAttemptMs = 30_000;
    const timeoutMs = deliverWebhookWorker.timeoutSeconds * 1000;
    expect(dispatch.startsMs + longestAttemptMs).toBeLessThan(timeoutMs);
    expect(timeoutMs).toBeLessThan(dispatch.holderMs);
    expect(dispatch.holderMs).toBeLessThan(6 * timeoutMs);
  });
});
