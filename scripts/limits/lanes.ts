/** A backlog of one workspace on virtual time: how fast it leaves through its lanes, and how far out of order. */
import { askAgainAt, laneWaitSeconds, newLimiter, reserve } from '../../lib/core/sending/send-limiter.ts';
import { seeded } from '../random.ts';

const horizonMs = 10_000;
const batch = 10;
const jitterMs = 1000;

export interface LanesOutcome {
  readonly perSecond: number;
  /** Seconds by which an email left after one that was queued behind it. */
  readonly disorderSeconds: number;
}

/** @param batchMs of a worker that releases ten emails of a lane */
export function simulateLanes(
  { ratePerSecond, emails, batchMs }: { ratePerSecond: number; emails: number; batchMs: number },
  lanes: number,
): LanesOutcome {
  const random = seeded(1);
  const waiting = Array.from({ length: lanes }, () => ({
    emails: [] as number[],
    next: 0,
    at: random.below(1000),
  }));
  for (let email = 0; email < emails; email++) waiting[random.below(lanes)]?.emails.push(email);
  let limiter = { ...newLimiter, ratePerSecond };
  const slots = new Float64Array(emails);
  for (;;) {
    const [lane] = waiting.filter((one) => one.next < one.emails.length).toSorted((a, b) => a.at - b.at);
    if (!lane) break;
    const some = lane.emails.slice(lane.next, lane.next + batch);
    const given = reserve(
      limiter,
      some.map(() => 1),
      lane.at,
      horizonMs,
    );
    limiter = given.limiter;
    for (const [at, slot] of given.slots.entries()) slots[some[at] ?? 0] = slot;
    lane.next += given.slots.length;
    const waitMs = askAgainAt(limiter, 1, horizonMs) - lane.at + random.below(jitterMs);
    lane.at += given.slots.length === some.length ? batchMs : laneWaitSeconds(waitMs, 1) * 1000;
  }
  let latest = 0;
  let disorder = 0;
  for (const slot of slots) {
    disorder = Math.max(disorder, latest - slot);
    latest = Math.max(latest, slot);
  }
  return { perSecond: (emails / latest) * 1000, disorderSeconds: disorder / 1000 };
}
