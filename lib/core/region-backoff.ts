/** A region in which SES takes nothing for a while: who asks again when, and in which order the mail goes on. */

export interface RegionBackoff {
  /** When SES is asked again, by the mail that waits longest. */
  readonly until: number;
  /** When the mail that waits longest was queued. */
  readonly since: number;
  /** When the mail was queued that waits last. */
  readonly last: number;
}

/** What waited goes on in half the time in which it was queued, and in ten minutes at most. */
const scaleMax = 1 / 2;
const drainMsMax = 10 * 60_000;

/**
 * When it is the turn of a mail: in the order of queueing, so that nothing new goes before what waits. A turn that has
 * passed is no reason to wait.
 *
 * @param queuedAt Unix milliseconds
 */
export function resumeAt(hold: RegionBackoff, queuedAt: number): number {
  const scale = Math.min(scaleMax, drainMsMax / Math.max(hold.until - hold.since, 1));
  return hold.until + Math.max(queuedAt - hold.since, 0) * scale;
}

/** Whether everything that waited has had its turn. */
export function isExpired(hold: RegionBackoff, nowMs: number): boolean {
  return resumeAt(hold, hold.last) <= nowMs;
}
