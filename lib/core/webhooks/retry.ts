/** The retry schedule of webhook deliveries (docs/concepts/webhooks.md#attempts-and-retries). */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Waits before the attempts 2 to 7. */
export const retryWaitsMs = [
  1 * minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  6 * hourMs,
  24 * hourMs,
] as const;

export const attemptsMax = retryWaitsMs.length + 1;
/** Jitter of each wait, as a share of it, so that deliveries that failed together are not retried together. */
export const retryJitter = 0.2;
/** No attempt is later than this after the delivery was created or replayed. */
export const deadlineAfterMs = 24 * hourMs;

/**
 * Time of the next attempt in Unix milliseconds; null where the delivery has failed: it has no attempts left, or this
 * failure is at or after the deadline.
 *
 * @param options.attempt number of the failed attempt, from 1
 * @param options.createdAtMs when the delivery was created or last replayed
 * @param options.retryAfterMs wait by the receiver's `Retry-After`; it replaces the scheduled wait, up to the deadline
 * @param options.random returns a number in [0, 1)
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
