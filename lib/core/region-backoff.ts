/** Region backoff: when mail resumes in a region where SES accepts nothing (docs/decisions/0010-region-backoff.md). */

/** Times are Unix milliseconds. */
export interface RegionBackoff {
  /** When the oldest waiting email is submitted again. */
  readonly until: number;
  /** When the oldest waiting email was queued. */
  readonly since: number;
  /** When the newest waiting email was queued. */
  readonly last: number;
}

/** Waiting mail resumes over half the time in which it was queued, and over ten minutes at most. */
const scaleMax = 1 / 2;
const drainMsMax = 10 * 60_000;

/**
 * When an email resumes; Unix milliseconds. Resumption keeps the order of queueing, so that new mail does not overtake
 * waiting mail. A time in the past: the email need not wait.
 *
 * @param queuedAt Unix milliseconds
 */
export function resumeAt(backoff: RegionBackoff, queuedAt: number): number {
  const scale = Math.min(scaleMax, drainMsMax / Math.max(backoff.until - backoff.since, 1));
  return backoff.until + Math.max(queuedAt - backoff.since, 0) * scale;
}

/** Whether all waiting mail has resumed. */
export function isExpired(backoff: RegionBackoff, nowMs: number): boolean {
  return resumeAt(backoff, backoff.last) <= nowMs;
}
