/** Health of endpoints: closing, probes, outages. */
import { describe, expect, it } from 'vitest';
import {
  type AttemptResult,
  attemptsAtOnce,
  type Health,
  healthAfter,
  isClosed,
  isOutageDue,
  newHealth,
  outageAfterMs,
} from '../../../lib/core/webhooks/health.ts';

const middle = () => 0.5;
const success: AttemptResult = { outcome: 'success', isProbe: false, createdAt: 500 };
const failure: AttemptResult = { ...success, outcome: 'failure' };
const after = (results: readonly AttemptResult[], atMs = 1000, from: Health = newHealth): Health =>
  results.reduce((health, result) => healthAfter(health, result, atMs, middle), from);
const times = (count: number, result: AttemptResult) => Array.from({ length: count }, () => result);

describe('healthAfter', () => {
  it('closes an endpoint at the fifth failure in a row', () => {
    expect(isClosed(after(times(4, failure)))).toBe(false);
    expect(isClosed(after([...times(4, failure), success, failure]))).toBe(false);
    const closed = after(times(5, failure));
    expect(isClosed(closed)).toBe(true);
    expect(closed.nextProbeAt).toBe(31_000);
  });

  it('doubles the wait with each failed probe, up to five minutes', () => {
    const waits = [];
    let health = after(times(5, failure), 0);
    for (let probe = 0; probe < 6; probe++) {
      waits.push((health.nextProbeAt ?? 0) / 1000);
      health = healthAfter(health, { ...failure, isProbe: true }, 0, middle);
    }
    expect(waits).toEqual([30, 60, 120, 240, 300, 300]);
  });

  it('keeps the next probe when an attempt fails that began before', () => {
    const closed = after(times(5, failure), 0);
    expect(healthAfter(closed, failure, 9000, middle)).toEqual({ ...closed, failures: 6 });
  });

  it('varies the wait by 20 %', () => {
    const four = after(times(4, failure), 0);
    const waits = [0, 0.999999].map((random) => healthAfter(four, failure, 0, () => random));
    expect(waits.map(({ nextProbeAt }) => nextProbeAt)).toEqual([24_000, 36_000]);
  });

  it('opens the endpoint, and ends the outage, with a success', () => {
    const failed = { ...after(times(9, failure)), isOutageReported: true };
    expect(healthAfter(failed, success, 2000, middle)).toEqual({ ...newHealth, succeededAt: 2000 });
  });

  it('is the same object after a further success: nothing is written', () => {
    const steady = after([success]);
    expect(healthAfter(steady, success, 5000, middle)).toBe(steady);
  });

  it('is not changed by what does not count, but for the time of the next probe', () => {
    const closed = after(times(5, failure), 0);
    const uncounted: AttemptResult = { ...success, outcome: 'uncounted' };
    expect(healthAfter(closed, uncounted, 9000, middle)).toBe(closed);
    const skipped: AttemptResult = { ...success, outcome: 'skipped' };
    expect(healthAfter(newHealth, skipped, 9000, middle)).toBe(newHealth);
    expect(healthAfter(closed, { ...uncounted, isProbe: true }, 9000, middle).nextProbeAt).toBe(9000);
    expect(healthAfter(closed, { ...skipped, isProbe: true }, 9000, middle).nextProbeAt).toBe(39_000);
  });

  it('fails since its first failed delivery was created, or since the last noted success', () => {
    expect(after([failure]).failingSince).toBe(500);
    expect(after([failure, { ...failure, createdAt: 100 }]).failingSince).toBe(500);
    expect(after([success, failure]).failingSince).toBe(1000);
  });
});

describe('attemptsAtOnce', () => {
  it('is max_concurrency once an endpoint has answered', () => {
    expect(attemptsAtOnce(after([success]), 128)).toBe(128);
  });

  it('is what would close an endpoint that has not answered yet, or that fails', () => {
    expect(attemptsAtOnce(newHealth, 128)).toBe(5);
    expect(attemptsAtOnce(newHealth, 2)).toBe(2);
    expect(attemptsAtOnce(after([success, failure, failure]), 128)).toBe(3);
    expect(attemptsAtOnce(after(times(6, failure)), 128)).toBe(0);
  });
});

describe('isOutageDue', () => {
  it('is true once when nothing got through for 24 hours', () => {
    const failing = after([failure]);
    expect(isOutageDue(failing, 500 + outageAfterMs - 1)).toBe(false);
    expect(isOutageDue(failing, 500 + outageAfterMs)).toBe(true);
    expect(isOutageDue({ ...failing, isOutageReported: true }, 500 + outageAfterMs)).toBe(false);
    expect(isOutageDue(after([failure, success]), 500 + outageAfterMs)).toBe(false);
  });
});
