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
  reserveAtOnce,
  type SendingLimits,
  type SendLimiter,
  shiftMsMax,
  timeOfSlot,
  waitingUntil,
  withLimits,
  withoutQuota,
  withWaiting,
} from '../../core/sending/send-limiter.ts';
import { describeError, logEvent } from '../../observability/log.ts';
import {
  changeSendLimiter,
  findSendLimiter,
  LimiterBusy,
  type LimiterChange,
  noteWaiting,
  replaceSendLimiter,
} from '../../storage/sending/send-limiters.ts';

/** How far ahead slots are given. Emails beyond it wait in their lane, in order and at no cost. */
export const horizonMs = 10_000;
/** The limits of the account are read this often while mail is sent. */
const refreshMs = 5 * 60_000;
/** One worker reads them; another one tries after this time. */
const refreshTriesMs = 60_000;
/** An email this late for its slot gets another one, or a backlog of late emails would leave at once. */
const lateMsMax = 30_000;

/**
 * Changes the limiter of a region as `changeSendLimiter` does, with the limits of the account where these are due: one worker
 * writes that it reads them, and then both changes in one write. A failure leaves the limits as they are.
 */
async function changeRefreshed<T>(
  region: string,
  change: (limiter: SendLimiter) => LimiterChange<T>,
): Promise<T> {
  const found = await findSendLimiter(region);
  if (found.refreshAt > now()) return await changeSendLimiter(region, change, { known: found });
  const claimed = await replaceSendLimiter(region, found, { ...found, refreshAt: now() + refreshTriesMs });
  const limits = claimed && (await limitsOf(region));
  const refreshed = (before: SendLimiter) =>
    limits ? withLimits(before, limits, now(), now() + refreshMs) : before;
  return await changeSendLimiter(region, (before) => change(refreshed(before)), { known: claimed });
}

/** The limits of the account; null where SES does not tell them. */
async function limitsOf(region: string): Promise<SendingLimits | null> {
  try {
    return await readSendingLimits(region);
  } catch (error) {
    logEvent('submission.limits_unknown', { region, error: describeError(error) });
    return null;
  }
}

/**
 * Slots for the first of these submissions, and when the next one may ask again.
 *
 * @param costs recipients of each submission
 * @param waitMs how long those without a slot wait, by the time at which they may ask again
 */
export async function reserveSlots(
  region: string,
  costs: readonly number[],
  waitMs: (askAgainAt: number) => number,
): Promise<{ readonly slots: readonly ReservedSlot[]; readonly askAgainAt: number }> {
  return await changeRefreshed(region, (before) => {
    const { slots, limiter } = reserve(before, costs, now(), horizonMs);
    const next = costs[slots.length] ?? 0;
    const resultAt = (shiftMs: number) => ({
      slots: slots.map((at) => slotOf(limiter, at + shiftMs)),
      askAgainAt: askAgainAt(limiter, next, horizonMs),
    });
    const result = resultAt(0);
    if (slots.length < costs.length) {
      const reserved = slots.length === 0 ? before : limiter;
      return { limiter: withWaiting(reserved, now() + waitMs(result.askAgainAt)), result };
    }
    const latest = shiftMsMax(before, slots, now(), horizonMs);
    return {
      limiter,
      result,
      ...(latest !== null && { taken: { shiftMsMax: latest, yields: false, resultAt } }),
    };
  });
}

/** A worker waits this long for a slot; a message whose slot is later is delayed by SQS. */
export const patienceMs = 1500;

/** Tries beyond which a region has so many senders that their emails are better given slots by the batch. */
const triesAtOnce = 3;

/**
 * Slots for the first of new submissions that are so near that a worker waits for them; none while others wait in lanes.
 *
 * @param costs recipients of each submission
 * @param may whether a region may give slots as it is
 */
export async function reserveNow(
  region: string,
  costs: readonly number[],
  may: (limiter: SendLimiter) => boolean = () => true,
): Promise<readonly ReservedSlot[]> {
  const change = (before: SendLimiter): LimiterChange<readonly ReservedSlot[]> => {
    if (!may(before)) return { limiter: before, result: [] };
    const { slots, limiter } = reserveAtOnce(before, costs, now(), patienceMs);
    const resultAt = (shiftMs: number) => slots.map((at) => slotOf(limiter, at + shiftMs));
    const latest = slots.length < costs.length ? null : shiftMsMax(before, slots, now(), patienceMs);
    return {
      limiter,
      result: resultAt(0),
      ...(latest !== null && { taken: { shiftMsMax: latest, yields: true, resultAt } }),
    };
  };
  try {
    return await changeSendLimiter(region, change, { tries: triesAtOnce });
  } catch (error) {
    if (!(error instanceof LimiterBusy)) throw error;
    await noteWaiting(region, waitingUntil(now()));
    return [];
  }
}

export interface ReservedSlot {
  /** Virtual milliseconds. */
  readonly at: number;
  /** Unix milliseconds. */
  readonly time: number;
  /** When the limiter was read: it may be held since. */
  readonly readAt: number;
}

/** A slot within `withinMs`, whoever waits in lanes; null where all until then are given. */
export async function reserveWithin(
  region: string,
  cost: number,
  withinMs: number,
): Promise<ReservedSlot | null> {
  return await changeSendLimiter(region, (before) => oneSlot(before, cost, withinMs));
}

function oneSlot(before: SendLimiter, cost: number, withinMs: number) {
  const { slots, limiter } = reserve(before, [cost], now(), withinMs);
  const [at] = slots;
  if (at === undefined) return { limiter: before, result: null };
  return { limiter, result: slotOf(limiter, at) };
}

/** The slot of an email as it is now; another one where the email is late for it. */
export async function currentSlot(region: string, at: number, cost: number): Promise<ReservedSlot> {
  return await changeRefreshed<ReservedSlot>(region, (before) => {
    const slot = slotOf(before, at);
    if (slot.time > now() - lateMsMax) return { limiter: before, result: slot };
    const { limiter, result } = oneSlot(before, cost, Number.POSITIVE_INFINITY);
    return { limiter, result: result ?? { ...slot, time: limiter.refreshAt } };
  });
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
