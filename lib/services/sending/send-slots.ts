/** Slots of the sending rate of a region (docs/decisions/0037-send-slots.md). */
import { now } from '../../adapters/clock.ts';
import { random } from '../../adapters/random.ts';
import type { DelayCause } from '../../adapters/ses.ts';
import { readSendingLimits } from '../../adapters/ses-account.ts';
import { delaySecondsMax } from '../../core/queue-messages.ts';
import {
  askAgainAt,
  hold,
  reserve,
  type SendLimiter,
  timeOfSlot,
  withLimits,
  withoutQuota,
} from '../../core/send-limiter.ts';
import { describeError, logEvent } from '../../observability/log.ts';
import { changeSendLimiter, findSendLimiter } from '../../storage/send-limiters.ts';

/** How far ahead slots are given. Emails beyond it wait in their lane, in order and at no cost. */
export const horizonMs = 10_000;
/** The limits of the account are read this often while mail is sent. */
const refreshMs = 5 * 60_000;
/** One worker reads them; another one tries after this time. */
const refreshTriesMs = 60_000;
/** An email this late for its slot gets another one, or a backlog of late emails would leave at once. */
const lateMsMax = 30_000;

/**
 * Reads the limits of the account where they are due. A failure leaves them as they are.
 *
 * @returns the limiter; null where it has changed
 */
async function refreshLimits(region: string): Promise<SendLimiter | null> {
  const before = await findSendLimiter(region);
  const isMine = await changeSendLimiter(
    region,
    (limiter) =>
      limiter.refreshAt > now()
        ? { limiter, result: false }
        : { limiter: { ...limiter, refreshAt: now() + refreshTriesMs }, result: true },
    before,
  );
  if (!isMine) return before.refreshAt > now() ? before : null;
  try {
    const limits = await readSendingLimits(region);
    await changeSendLimiter(region, (limiter) => ({
      limiter: withLimits(limiter, limits, now(), now() + refreshMs),
      result: null,
    }));
  } catch (error) {
    logEvent('submission.limits_unknown', { region, error: describeError(error) });
  }
  return null;
}

/**
 * Slots for the first of these submissions, and when the next one may ask again.
 *
 * @param costs recipients of each submission
 */
export async function reserveSlots(
  region: string,
  costs: readonly number[],
): Promise<{ readonly slots: readonly ReservedSlot[]; readonly askAgainAt: number }> {
  const known = await refreshLimits(region);
  const change = (before: SendLimiter) => {
    const { slots, limiter } = reserve(before, costs, now(), horizonMs);
    const next = costs[slots.length] ?? 0;
    return {
      limiter: slots.length === 0 ? before : limiter,
      result: {
        slots: slots.map((at) => slotOf(limiter, at)),
        askAgainAt: askAgainAt(limiter, next, horizonMs),
      },
    };
  };
  return await changeSendLimiter(region, change, known);
}

export interface ReservedSlot {
  /** Virtual milliseconds. */
  readonly at: number;
  /** Unix milliseconds. */
  readonly time: number;
  /** When the limiter was read: it may be held since. */
  readonly readAt: number;
}

/** A slot within `withinMs`; null where the region has none, because others wait. */
export async function reserveNow(
  region: string,
  cost: number,
  withinMs: number,
): Promise<ReservedSlot | null> {
  return await changeSendLimiter(region, (before) => {
    const { slots, limiter } = reserve(before, [cost], now(), withinMs);
    const [at] = slots;
    if (at === undefined) return { limiter: before, result: null };
    return { limiter, result: slotOf(limiter, at) };
  });
}

/** The slot of an email as it is now; another one where the email is late for it. */
export async function currentSlot(region: string, at: number, cost: number): Promise<ReservedSlot> {
  const limiter = (await refreshLimits(region)) ?? (await findSendLimiter(region));
  const slot = slotOf(limiter, at);
  if (slot.time > now() - lateMsMax) return slot;
  return (await reserveNow(region, cost, Number.POSITIVE_INFINITY)) ?? { ...slot, time: limiter.refreshAt };
}

function slotOf(limiter: SendLimiter, at: number): ReservedSlot {
  return { at, time: timeOfSlot(limiter, at), readAt: now() };
}

/** How long a region is held after SES refused for now. */
interface HoldTime {
  readonly ms: number;
  /** The longest random extension. */
  readonly jitterMs: number;
  /** How much later the other emails follow the one that is tried first. */
  readonly gapMs: number;
}

/**
 * Throttling by rate is short: somebody else sends with this account, or its rate was lowered. In the other cases SES takes
 * nothing until something changes.
 */
const holds: Readonly<Record<Exclude<DelayCause, 'network'>, HoldTime>> = {
  sending_rate: { ms: 2000, jitterMs: 1000, gapMs: 0 },
  permissions: { ms: 60_000, jitterMs: 0, gapMs: horizonMs },
  account: { ms: 5 * 60_000, jitterMs: 0, gapMs: horizonMs },
  daily_quota: { ms: 10 * 60_000, jitterMs: 0, gapMs: horizonMs },
};

/** Holds a region after SES refused the email in `slot`; returns when it is repeated. */
export async function holdRegion(
  region: string,
  slot: number,
  cause: Exclude<DelayCause, 'network'>,
): Promise<ReservedSlot> {
  const { ms, jitterMs, gapMs } = holds[cause];
  const until = now() + ms + random() * jitterMs;
  return await changeSendLimiter(region, (before) => {
    const held = hold(before, slot, { nowMs: now(), until, gapMs });
    const limiter = cause === 'daily_quota' ? withoutQuota(held, until) : held;
    return { limiter, result: slotOf(limiter, slot) };
  });
}

/** Whole seconds until a time, as far as SQS can delay; the worker waits for the rest. */
export function delaySecondsUntil(atMs: number): number {
  return Math.min(delaySecondsMax, Math.max(0, Math.floor((atMs - now()) / 1000)));
}
