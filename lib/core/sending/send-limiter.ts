/**
 * The sending rate limiter of a mail region: which email may be submitted when (docs/decisions/0037-send-slots.md).
 *
 * Slots are counted in virtual time. Unix time is virtual time plus `offset`; a hold raises the offset, so that all slots
 * that were given move together and keep their order.
 */

export interface SendLimiter {
  /** Recipients a second that slots are given for. */
  readonly ratePerSecond: number;
  /** Recipients left of the 24-hour quota; null: no quota. */
  readonly quotaLeft: number | null;
  /** First free slot; virtual milliseconds. */
  readonly nextFree: number;
  /** Milliseconds between virtual and Unix time. */
  readonly offset: number;
  /** The slot that SES refused last. It and those before it come `leadMs` earlier than the offset says. */
  readonly heldSlot: number;
  readonly leadMs: number;
  /** When the rate and the quota of the account are read again; Unix milliseconds. */
  readonly refreshAt: number;
  /** Emails may wait in lanes until then: none gets a slot ahead of them. Unix milliseconds. */
  readonly waitingUntil: number;
  /** Raised by each change; writers compare it. */
  readonly version: number;
}

/** The sending limits of an account in a region (`SendQuota` of "GetAccount", Amazon SES API v2 Reference). */
export interface SendingLimits {
  /** Recipients a second. */
  readonly ratePerSecond: number;
  /** Recipients in 24 hours; null: no quota. */
  readonly quota: number | null;
  /** Recipients in the last 24 hours. */
  readonly sent: number;
}

const rateShare = 0.9;
/** Submissions are early or late for their slots by up to this much. */
const noiseSeconds = 0.25;

/**
 * The rate that slots are given for: less than the account's, since submissions are early or late. SES takes the sends of
 * about a second at once, so that at one a second the next slot must be later by all of the noise.
 *
 * @param ratePerSecond of the account
 */
export function slotRate(ratePerSecond: number): number {
  return 1 / (1 / (ratePerSecond * rateShare) + noiseSeconds / ratePerSecond ** 2);
}

/** Until the account's limits are known: the rate of the sandbox ("Service quotas in Amazon SES"). */
export const newLimiter: SendLimiter = {
  ratePerSecond: slotRate(1),
  quotaLeft: null,
  nextFree: 0,
  offset: 0,
  heldSlot: 0,
  leadMs: 0,
  refreshAt: 0,
  waitingUntil: 0,
  version: 0,
};

/** Whether the rate is above that of the sandbox, which stands for the account's until that is known. */
export function isAboveSandbox({ ratePerSecond }: SendLimiter): boolean {
  return ratePerSecond > newLimiter.ratePerSecond;
}

/** Emails of a lane a second: SQS has one batch of ten of a message group in flight, which takes a tenth of a second. */
const lanePerSecond = 90;

/** Lanes of a workspace in a region: one up to the rate that it carries. Emails leave in order in each. */
export function lanesAt(ratePerSecond: number): number {
  return Math.max(1, Math.ceil(ratePerSecond / lanePerSecond));
}

/** When a slot is; Unix milliseconds. */
export function timeOfSlot({ offset, heldSlot, leadMs }: SendLimiter, slot: number): number {
  return slot + offset - (slot <= heldSlot ? leadMs : 0);
}

/**
 * Slots for the first submissions of `costs`, as many as begin within `horizonMs` and fit the quota.
 *
 * @param costs recipients of each submission
 */
export function reserve(
  limiter: SendLimiter,
  costs: readonly number[],
  nowMs: number,
  horizonMs: number,
): { readonly slots: readonly number[]; readonly limiter: SendLimiter } {
  const { ratePerSecond, offset } = limiter;
  let next = Math.max(limiter.nextFree, nowMs - offset);
  let left = limiter.quotaLeft ?? Number.POSITIVE_INFINITY;
  const slots: number[] = [];
  for (const cost of costs) {
    if (next + offset > nowMs + horizonMs || cost > left) break;
    slots.push(next);
    next += (cost / ratePerSecond) * 1000;
    left -= cost;
  }
  const quotaLeft = limiter.quotaLeft === null ? null : left;
  return { slots, limiter: { ...limiter, nextFree: next, quotaLeft } };
}

/**
 * By how many milliseconds reserved slots may be later, because others took slots before them, and still begin within the
 * horizon. Null where they do not begin at the next free slot, or there are none.
 */
export function shiftMsMax(
  { nextFree, offset }: SendLimiter,
  slots: readonly number[],
  nowMs: number,
  horizonMs: number,
): number | null {
  const last = slots.at(-1);
  if (slots[0] !== nextFree || last === undefined) return null;
  return nowMs + horizonMs - (last + offset);
}

/** A note of waiting emails holds for this much longer than their wait, so that each wait does not renew it. */
const waitingKeptMs = 60_000;

/** Until when a note of emails holds that wait until `untilMs`; Unix milliseconds. */
export function waitingUntil(untilMs: number): number {
  return untilMs + waitingKeptMs;
}

/** The limiter that notes that emails wait in lanes, at least until `untilMs`. */
export function withWaiting(limiter: SendLimiter, untilMs: number): SendLimiter {
  return limiter.waitingUntil >= untilMs ? limiter : { ...limiter, waitingUntil: waitingUntil(untilMs) };
}

/**
 * Slots for the first of new submissions that need not wait in a lane; none while others wait there, as all would overtake
 * these. The others go to their lanes, which is noted.
 *
 * @param costs recipients of each submission
 */
export function reserveAtOnce(
  limiter: SendLimiter,
  costs: readonly number[],
  nowMs: number,
  withinMs: number,
): { readonly slots: readonly number[]; readonly limiter: SendLimiter } {
  if (limiter.waitingUntil > nowMs) return { slots: [], limiter };
  const reserved = reserve(limiter, costs, nowMs, withinMs);
  if (reserved.slots.length === costs.length) return reserved;
  const before = reserved.slots.length === 0 ? limiter : reserved.limiter;
  return { slots: reserved.slots, limiter: withWaiting(before, nowMs) };
}

/**
 * When a submission that got no slot asks again; Unix milliseconds. Half the horizon is used up by then, so that a
 * region is never without slots that were given.
 */
export function askAgainAt(limiter: SendLimiter, cost: number, horizonMs: number): number {
  const half = limiter.nextFree + limiter.offset - horizonMs / 2;
  const lacksQuota = limiter.quotaLeft !== null && limiter.quotaLeft < cost;
  return lacksQuota ? Math.max(half, limiter.refreshAt) : half;
}

/**
 * The limiter with what SES reports. Slots that were given and have not come count as used. Where SES says that the
 * quota is used up, all slots move behind the next refresh.
 */
export function withLimits(
  limiter: SendLimiter,
  { ratePerSecond, quota, sent }: SendingLimits,
  nowMs: number,
  refreshAt: number,
): SendLimiter {
  const given = Math.ceil(
    (Math.max(0, limiter.nextFree + limiter.offset - nowMs) / 1000) * limiter.ratePerSecond,
  );
  const isUsedUp = quota !== null && sent >= quota;
  return {
    ...limiter,
    ratePerSecond: slotRate(ratePerSecond),
    quotaLeft: quota === null ? null : Math.max(0, quota - sent - given),
    offset: limiter.offset + (isUsedUp ? refreshAt - nowMs : 0),
    refreshAt,
  };
}

/**
 * Holds the region after SES refused the submission in `slot`: it is repeated at `until`, the later ones follow after
 * another `gapMs`. All keep their slots, hence their order. A region that is held already stays as it is.
 */
export function hold(
  limiter: SendLimiter,
  slot: number,
  { nowMs, until, gapMs }: { readonly nowMs: number; readonly until: number; readonly gapMs: number },
): SendLimiter {
  if (timeOfSlot(limiter, slot) > nowMs) return limiter;
  return { ...limiter, offset: until + gapMs - slot, heldSlot: slot, leadMs: gapMs };
}

/** The limiter without quota: SES refused for it. */
export function withoutQuota(limiter: SendLimiter, refreshAt: number): SendLimiter {
  return { ...limiter, quotaLeft: 0, refreshAt: Math.min(limiter.refreshAt, refreshAt) };
}

/**
 * How long a message is invisible that waits for a slot, in seconds. It grows with the receives: SQS counts at most 1,000
 * of them and keeps a message for 14 days ("Message retention", "Dead-letter queues").
 *
 * @param receives how often the message was received, from 1
 */
export function laneWaitSeconds(waitMs: number, receives: number): number {
  const atLeast = 4 * Math.max(0, receives - 20);
  return Math.min(3600, Math.max(1, Math.ceil(waitMs / 1000), atLeast));
}
