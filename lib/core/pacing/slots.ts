/**
 * The slots of a limit: when the next message of a scope value may leave (docs/decisions/0048-pacing.md).
 *
 * Slots are on a grid that repeats with the period of the limit: slot `i + amount` is one period after slot `i`. So no
 * window ever has more than `amount` messages, without a record of each. The grid moves later, never earlier.
 */
import type { Limit } from './rule.ts';

/** Messages that left at about the same time; `from` is the earliest of their times, `at` the latest. */
export interface HandOffs {
  readonly from: number;
  readonly at: number;
  readonly count: number;
}

/** What the grid of a scope value depends on. */
export type Pace = Pick<Limit, 'amount' | 'perSeconds'> & {
  /** 0 to 100: how far a slot may be from its even place, in percent of the gap. */
  readonly spread: number;
  /** Selects the random places: the rule and the scope value. */
  readonly seed: string;
};

/** The state of a limit for one scope value. */
export interface Slots {
  readonly amount: number;
  readonly perSeconds: number;
  readonly spread: number;
  /** When the grid began: with the first message, or a change of the rule. */
  readonly since: number;
  /** Start of the cycle of `amount` slots. */
  readonly cycleAt: number;
  /** Number of the next slot in its cycle. */
  readonly index: number;
  /** A message waits for the next slot: when it leaves late, the grid has not been idle. */
  readonly isAwaited: boolean;
  /** What left, oldest first: it counts after a change of the rule. */
  readonly handOffs: readonly HandOffs[];
}

/**
 * How late for its slot a message may leave without moving the grid: 1 % of the period, at most a second. The period of the
 * grid is longer by this, so that a late message and a punctual one after it are never in one window.
 */
export function toleranceMs(perSeconds: number): number {
  return Math.min(1000, perSeconds * 10);
}

const periodMs = ({ perSeconds }: Pick<Limit, 'perSeconds'>): number =>
  perSeconds * 1000 + toleranceMs(perSeconds);

/** The even distance between two slots, in milliseconds. */
export function gapMs(pace: Pick<Limit, 'amount' | 'perSeconds'>): number {
  return periodMs(pace) / pace.amount;
}

/** No window is longer than this ("per_seconds", docs/concepts/pacing.md#limits). */
const windowMaxMs = 2_678_400_000;
/** Entries of `handOffs` become one where it spans at most this share of its age, or this time. */
const merged = { share: 1 / 4, ms: 100 };

/** The time of the next slot; it may be in the past. */
function slotTime(slots: Slots, seed: string, ahead = 0): number {
  const { amount, spread, cycleAt } = slots;
  const number = slots.index + ahead;
  const index = number % amount;
  const gap = gapMs(slots);
  const cycle = cycleAt + ((number - index) / amount) * periodMs(slots);
  return cycle + gap * (index + (spread / 100) * unit(`${seed}#${index}`));
}

/** A number in [0, 1) that follows from the text (FNV-1a, with a final mix). */
function unit(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** The slots under the rule as it is now: a grid of its own where the rule has changed. */
export function slotsUnder(slots: Slots | null, pace: Pace, nowMs: number): Slots {
  const { amount, perSeconds, spread } = pace;
  if (slots?.amount === amount && slots.perSeconds === perSeconds && slots.spread === spread) return slots;
  const handOffs = slots?.handOffs ?? [];
  const last = handOffs.at(-1)?.at;
  const cycleAt = last === undefined ? nowMs - gapMs(pace) : last + gapMs(pace);
  return {
    amount,
    perSeconds,
    spread,
    since: nowMs,
    cycleAt,
    index: 0,
    isAwaited: slots?.isAwaited ?? false,
    handOffs,
  };
}

/** When the next message may leave; at or before `nowMs`: now. */
export function openAt(slots: Slots | null, pace: Pace, nowMs: number): number {
  if (!slots) return nowMs;
  const current = slotsUnder(slots, pace, nowMs);
  return Math.ceil(Math.max(slotTime(current, pace.seed), freeAfterChange(current)));
}

/**
 * When what left before the grid began leaves room for another message. Only a period later the grid alone keeps the
 * limit; until then all that left counts, each entry by its latest time.
 */
function freeAfterChange({ amount, perSeconds, since, handOffs }: Slots): number {
  let count = 0;
  for (const { at, count: more } of handOffs.toReversed()) {
    count += more;
    if (count >= amount) return Math.min(at, since) + perSeconds * 1000;
  }
  return 0;
}

/** The slots after a message has left, whether or not its time had come: the next slot is used up. */
export function afterHandOff(slots: Slots | null, pace: Pace, nowMs: number): Slots {
  const before = slotsUnder(slots, pace, nowMs);
  const { amount, perSeconds, isAwaited } = before;
  const slot = slotTime(before, pace.seed);
  // A millisecond less than the tolerance, for rounding.
  const earliest = isAwaited ? nowMs - toleranceMs(perSeconds) + 1 : nowMs;
  const cycleAt = before.cycleAt + Math.max(0, earliest - slot);
  const isLast = before.index + 1 === amount;
  return {
    ...before,
    cycleAt: isLast ? cycleAt + periodMs(before) : cycleAt,
    index: isLast ? 0 : before.index + 1,
    isAwaited: false,
    handOffs: withHandOff(before.handOffs, nowMs),
  };
}

/** Adds a message. Older ones are merged, so that the list grows with the logarithm of their age. */
function withHandOff(handOffs: readonly HandOffs[], nowMs: number): HandOffs[] {
  const kept: HandOffs[] = [];
  for (const next of [...handOffs, { from: nowMs, at: nowMs, count: 1 }]) {
    if (next.at <= nowMs - windowMaxMs) continue;
    const last = kept.at(-1);
    if (last && next.at - last.from <= Math.max(merged.ms, (nowMs - next.at) * merged.share)) {
      const at = Math.max(last.at, next.at);
      kept[kept.length - 1] = { from: last.from, at, count: last.count + next.count };
    } else {
      kept.push(next);
    }
  }
  return kept;
}

/** When the message leaves that has `ahead` others before it, if nothing changes and nothing else holds it. */
export function projectedAt(slots: Slots | null, pace: Pace, ahead: number, nowMs: number): number {
  const fresh = slots ?? afterHandOff(null, pace, nowMs - Math.ceil(gapMs(pace)));
  const current = slotsUnder(fresh, pace, nowMs);
  const late = Math.max(0, nowMs - slotTime(current, pace.seed));
  return Math.max(freeAfterChange(current), slotTime(current, pace.seed, ahead) + late);
}
