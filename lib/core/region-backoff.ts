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
export function resumeAt(hold: RegionBackoff, queuedAt: number): number {
  const scale = Math.min(scaleMax, drainMsMax / Math.max(hold.until - hold.since, 1));
  return hold.until + Math.max(queuedAt - hold.since, 0) * scale;
}

/** Whether all waiting mail has resumed. */
export function isExpired(hold: RegionBackoff, nowMs: number): boolean {
  return resumeAt(hold, hold.last) <= nowMs;
}
