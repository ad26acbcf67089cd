/** Projections: what holds a message, and when it leaves if nothing changes (docs/concepts/pacing.md#projections). */
import type { PacingRuleId } from '../ids.ts';
import { nextClosing, nextOpening, type Schedule } from './hours.ts';
import type { PacingRule } from './rule.ts';
import { gapMs, type Pace, projectedAt, type Slots } from './slots.ts';

/** The rule that a message waits for the longest. */
export interface HeldBy {
  readonly kind: 'ready' | 'hours' | 'limit';
  readonly ruleId: PacingRuleId | null;
}

export const ready: HeldBy = { kind: 'ready', ruleId: null };

export interface Projection {
  readonly heldBy: HeldBy;
  /** Unix milliseconds. */
  readonly sendAt: number;
}

/** A limit for one scope value of a message. */
export interface AwaitedLimit {
  readonly ruleId: PacingRuleId;
  readonly pace: Pace;
  readonly slots: Slots | null;
  /** Messages that leave before it. */
  readonly ahead: number;
}

/** A message that waits no longer than this is ready: the pacer takes a moment. */
const readyWithinMs = 1000;
/** Windows that a projection goes through. */
const windowsMax = 3000;

/** The projection of a message by each of its rules alone: the latest one counts. */
export function project(
  rules: readonly PacingRule[],
  limits: readonly AwaitedLimit[],
  nowMs: number,
): Projection {
  const schedules = rules.flatMap((rule) => (rule.kind === 'hours' ? [rule.schedule] : []));
  let last: Projection = { heldBy: ready, sendAt: nowMs };
  for (const rule of rules) {
    if (rule.kind !== 'hours') continue;
    const sendAt = nextOpening(rule.schedule, nowMs);
    if (sendAt > Math.max(last.sendAt, nowMs + readyWithinMs)) {
      last = { heldBy: { kind: 'hours', ruleId: rule.id }, sendAt };
    }
  }
  const isClosed = last.heldBy.kind === 'hours';
  const openedAt = allOpenAt(schedules, nowMs);
  if (openedAt > last.sendAt) last = { ...last, sendAt: openedAt };
  for (const limit of limits) {
    const sendAt = limitAt(limit, schedules, nowMs);
    if (sendAt <= Math.max(last.sendAt, nowMs + readyWithinMs)) continue;
    // Outside of the hours, these hold it whatever the limit.
    last = { heldBy: isClosed ? last.heldBy : { kind: 'limit', ruleId: limit.ruleId }, sendAt };
  }
  return { ...last, sendAt: Math.ceil(last.sendAt) };
}

/** The first time from `atMs` at which all schedules are open. */
function allOpenAt(schedules: readonly Schedule[], atMs: number): number {
  let time = atMs;
  for (let tries = 0; tries < windowsMax; tries++) {
    const next = Math.max(time, ...schedules.map((schedule) => nextOpening(schedule, time)));
    if (next === time) return time;
    time = next;
  }
  return time;
}

/** When a limit lets the message go: its slots pass while the schedules are closed. */
function limitAt(
  { pace, slots, ahead }: AwaitedLimit,
  schedules: readonly Schedule[],
  nowMs: number,
): number {
  if (schedules.length === 0) return projectedAt(slots, pace, ahead, nowMs);
  const gap = gapMs(pace);
  let left = ahead;
  let slot = projectedAt(slots, pace, 0, nowMs);
  for (let windows = 0; windows < windowsMax; windows++) {
    slot = allOpenAt(schedules, slot);
    const closesAt = Math.min(...schedules.map((schedule) => nextClosing(schedule, slot)));
    const fitting = Math.max(1, Math.ceil((closesAt - slot) / gap));
    if (left < fitting) return slot + left * gap;
    left -= fitting;
    slot += fitting * gap;
  }
  return slot;
}
