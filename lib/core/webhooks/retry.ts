/** When a failed delivery is tried again (interface, "Retry schedule"). */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The wait before attempt 2, 3, … 7. */
export const retryWaitsMs = [
  1 * minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  6 * hourMs,
  24 * hourMs,
] as const;

export const attemptsMax = retryWaitsMs.length + 1;
/** Each wait is drawn from this share around it, so that endpoints that failed together do not come back together. */
export const retryJitter = 0.2;
/** No attempt is due later than this after the delivery was created. */
export const deadlineAfterMs = 24 * hourMs;

/**
 * Unix milliseconds at which the next attempt is due, or null when the delivery has failed for good: its attempts
 * are spent, or the failure fell at or after the deadline.
 *
 * @param options.attempt the attempt that failed, from 1
 * @param options.createdAtMs when the delivery was created, or replayed: a replay has a fresh budget
 * @param options.retryAfterMs the receiver's own wish, which replaces the standard wait up to the deadline
 * @param options.random a number in [0, 1)
 */
export function nextAttempt(options: {
  attempt: number;
  createdAtMs: number;
  failedAtMs: number;
  retryAfterMs: number | null;
  random: () => number;
}): number | null {
  const { attempt, createdAtMs, failedAtMs, retryAfterMs, random } = options;
  const deadlineMs = createdAtMs + deadlineAfterMs;
  const standardMs = retryWaitsMs[attempt - 1];
  if (standardMs === undefined || failedAtMs >= deadlineMs) return null;
  const waitMs = retryAfterMs ?? standardMs * (1 + retryJitter * (2 * random() - 1));
  return Math.min(failedAtMs + Math.round(waitMs), deadlineMs);
}
