/** The retry schedule. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attemptsMax, deadlineAfterMs, nextAttempt, retryWaitsMs } from '../../../lib/core/webhooks/retry.ts';

const middle = () => 0.5;
const next = (changes: Partial<Parameters<typeof nextAttempt>[0]>) =>
  nextAttempt({ attempt: 1, createdAtMs: 0, failedAtMs: 0, retryAfterMs: null, random: middle, ...changes });

describe('nextAttempt', () => {
  it('waits 1, 5 and 30 minutes, then 2, 6 and 24 hours', () => {
    const minutes = [1, 2, 3, 4, 5, 6].map((attempt) => (next({ attempt }) ?? 0) / 60_000);
    expect(minutes).toEqual([1, 5, 30, 120, 360, 1440]);
  });

  it('is null after seven attempts', () => {
    expect(attemptsMax).toBe(7);
    expect(next({ attempt: 7 })).toBeNull();
  });

  it('is null when the failure is at or after the deadline', () => {
    expect(next({ failedAtMs: deadlineAfterMs - 1 })).toBe(deadlineAfterMs);
    expect(next({ failedAtMs: deadlineAfterMs })).toBeNull();
  });

  it('waits for Retry-After instead of the scheduled wait', () => {
    expect(next({ retryAfterMs: 7_000 })).toBe(7_000);
    expect(next({ retryAfterMs: 0, failedAtMs: 100 })).toBe(100);
    expect(next({ retryAfterMs: Number.POSITIVE_INFINITY })).toBe(deadlineAfterMs);
  });

  const failure = fc.record({
    attempt: fc.integer({ min: 1, max: 9 }),
    createdAtMs: fc.integer({ min: 0, max: 2 ** 41 }),
    elapsedMs: fc.integer({ min: 0, max: 2 * deadlineAfterMs }),
    retryAfterMs: fc.option(fc.integer({ min: 0, max: 2 ** 40 })),
    share: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });
  const decide = (f: typeof failure extends fc.Arbitrary<infer T> ? T : never) =>
    nextAttempt({ ...f, failedAtMs: f.createdAtMs + f.elapsedMs, random: () => f.share });

  it('is never before the failure and never after the deadline', () => {
    fc.assert(
      fc.property(failure, (f) => {
        const at = decide(f);
        if (at === null) return;
        expect(at).toBeGreaterThanOrEqual(f.createdAtMs + f.elapsedMs);
        expect(at).toBeLessThanOrEqual(f.createdAtMs + deadlineAfterMs);
      }),
    );
  });

  it('is null exactly when no attempt or no time is left', () => {
    fc.assert(
      fc.property(failure, (f) => {
        expect(decide(f) === null).toBe(f.attempt >= 7 || f.elapsedMs >= deadlineAfterMs);
      }),
    );
  });

  it('differs from the schedule by a fifth at most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), failure, (attempt, { share }) => {
        const standard = retryWaitsMs[attempt - 1] ?? 0;
        const wait = next({ attempt, random: () => share }) ?? 0;
        expect(Math.abs(wait - standard)).toBeLessThanOrEqual(standard * 0.2 + 1);
      }),
    );
  });
});
