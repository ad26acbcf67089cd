/** Health of endpoints: lanes, probes, outages. */
import { describe, expect, it } from 'vitest';
import {
  type AttemptResult,
  type Health,
  healthAfter,
  isOutageDue,
  isProbing,
  newHealth,
  outageAfterMs,
} from '../../../lib/core/webhooks/health.ts';

const middle = () => 0.5;
const success: AttemptResult = {
  isSuccess: true,
  isAnswered: true,
  durationMs: 80,
  isProbe: false,
  createdAt: 500,
};
const refusal: AttemptResult = { ...success, isSuccess: false };
const timeout: AttemptResult = { ...refusal, isAnswered: false, durationMs: 10_000 };
const after = (results: readonly AttemptResult[], atMs = 1000, from: Health = newHealth): Health =>
  results.reduce((health, result) => healthAfter(health, result, atMs, middle), from);
const times = (count: number, result: AttemptResult) => Array.from({ length: count }, () => result);

describe('healthAfter', () => {
  const quick = after(times(5, success));

  it('begins in the slow lane, and leaves it when five answers in a row are quick', () => {
    expect(newHealth.lane).toBe('slow');
    expect(after(times(4, success)).lane).toBe('slow');
    expect(quick.lane).toBe('fast');
  });

  it('moves an endpoint into the slow lane when an answer is slow or missing', () => {
    expect(after([refusal], 1000, quick).lane).toBe('fast');
    expect(after([timeout], 1000, quick).lane).toBe('slow');
    expect(after([{ ...success, durationMs: 2001 }], 1000, quick).lane).toBe('slow');
  });

  it('moves it back when five answers in a row are quick', () => {
    expect(after([timeout, ...times(4, success)]).lane).toBe('slow');
    expect(after([timeout, ...times(5, success)]).lane).toBe('fast');
    expect(after([timeout, ...times(4, success), timeout, success]).lane).toBe('slow');
  });

  it('begins to probe at the fifth failure in a row', () => {
    expect(isProbing(after(times(4, refusal)))).toBe(false);
    expect(isProbing(after([...times(4, refusal), success, refusal]))).toBe(false);
    const probed = after(times(5, refusal));
    expect(isProbing(probed)).toBe(true);
    expect(probed.nextProbeAt).toBe(31_000);
  });

  it('doubles the wait with each failed probe, up to five minutes', () => {
    const waits = [];
    let health = after(times(5, refusal), 0);
    for (let probe = 0; probe < 6; probe++) {
      waits.push((health.nextProbeAt ?? 0) / 1000);
      health = healthAfter(health, { ...timeout, isProbe: true }, 0, middle);
    }
    expect(waits).toEqual([30, 60, 120, 240, 300, 300]);
  });

  it('keeps the next probe when an attempt fails that began before', () => {
    const probed = after(times(5, timeout), 0);
    expect(healthAfter(probed, timeout, 9000, middle)).toEqual({ ...probed, failures: 6 });
  });

  it('varies the wait by 20 %', () => {
    const waits = [0, 0.999999].map(
      (random) =>
        after(times(4, refusal), 0) && healthAfter(after(times(4, refusal), 0), refusal, 0, () => random),
    );
    expect(waits.map(({ nextProbeAt }) => nextProbeAt)).toEqual([24_000, 36_000]);
  });

  it('ends probing, and the outage, with a success', () => {
    const failed = { ...after(times(9, timeout)), isOutageReported: true };
    expect(healthAfter(failed, success, 2000, middle)).toEqual({
      ...newHealth,
      lane: 'slow',
      quickAnswers: 1,
      lastSuccessAt: 2000,
    });
  });

  it('fails since its first failed delivery was created, or since the last success', () => {
    expect(after([refusal]).failingSince).toBe(500);
    expect(after([refusal, { ...refusal, createdAt: 100 }]).failingSince).toBe(500);
    expect(after([success, refusal]).failingSince).toBe(1000);
  });
});

describe('isOutageDue', () => {
  it('is true once when nothing got through for 24 hours', () => {
    const failing = after([refusal]);
    expect(isOutageDue(failing, 500 + outageAfterMs - 1)).toBe(false);
    expect(isOutageDue(failing, 500 + outageAfterMs)).toBe(true);
    expect(isOutageDue({ ...failing, isOutageReported: true }, 500 + outageAfterMs)).toBe(false);
    expect(isOutageDue(after([refusal, success]), 500 + outageAfterMs)).toBe(false);
  });
});
