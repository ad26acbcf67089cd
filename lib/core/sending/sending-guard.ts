/** What stops abuse of a workspace: caps on recipients, and suspension by reputation (docs/concepts/sending-limits.md). */
import { type Rate, waitMs } from '../access/rate-bucket.ts';

/** Recipients that a workspace may send to. */
export interface RecipientCaps {
  readonly perHour: number;
  readonly perDay: number;
}

/** The default of the settings of a deployment. */
export const defaultCaps: RecipientCaps = { perHour: 10_000, perDay: 50_000 };

export const suspensionReasons = ['operator', 'bounces', 'complaints', 'reputation'] as const;

export interface Suspension {
  readonly reason: (typeof suspensionReasons)[number];
  /** Unix milliseconds. */
  readonly at: number;
}

/** Recipients of one hour. */
export interface HourCount {
  /** Hours since the Unix epoch. */
  readonly hour: number;
  readonly sent: number;
  readonly bounced: number;
  readonly complained: number;
}

export interface SendingGuard {
  /** The operator's; null: those of the deployment, with the warm-up. */
  readonly caps: RecipientCaps | null;
  /** When the bucket of each cap is full again; Unix milliseconds. */
  readonly hourFullAt: number;
  readonly dayFullAt: number;
  readonly counts: readonly HourCount[];
  readonly suspension: Suspension | null;
  /** Version of the pacing rules, which acceptance reads with the guard; 0: there has never been one. */
  readonly pacingVersion: number;
  /** Spread of the pacing slots, 0 to 100. */
  readonly pacingSpread: number;
}

export const unusedGuard: SendingGuard = {
  caps: null,
  hourFullAt: 0,
  dayFullAt: 0,
  counts: [],
  suspension: null,
  pacingVersion: 0,
  pacingSpread: 0,
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The caps of a workspace's first day, as a share; they double every day. */
const firstDayShare = 1 / 50;

export const hourOf = (atMs: number): number => Math.floor(atMs / hourMs);

/**
 * The caps that hold for a workspace: those of its operator, or those of the deployment, of which a new workspace has a
 * fiftieth on its first day and twice as much every day after it.
 *
 * @param createdAtMs when the workspace was created
 */
export function capsOf(
  { caps }: Pick<SendingGuard, 'caps'>,
  defaults: RecipientCaps,
  createdAtMs: number,
  nowMs: number,
): RecipientCaps {
  if (caps) return caps;
  const days = Math.max(0, Math.floor((nowMs - createdAtMs) / dayMs));
  const share = Math.min(1, firstDayShare * 2 ** days);
  return {
    perHour: Math.max(1, Math.floor(defaults.perHour * share)),
    perDay: Math.max(1, Math.floor(defaults.perDay * share)),
  };
}

/** When the caps of a new workspace have grown to those of the deployment; Unix milliseconds. */
export function warmUpEnd(createdAtMs: number): number {
  return createdAtMs + Math.ceil(Math.log2(1 / firstDayShare)) * dayMs;
}

/** The buckets of both caps: a cap is refilled evenly over its time. */
export function ratesOf({ perHour, perDay }: RecipientCaps): { readonly hour: Rate; readonly day: Rate } {
  return {
    hour: { capacity: perHour, unitsPerSecond: (perHour * 1000) / hourMs },
    day: { capacity: perDay, unitsPerSecond: (perDay * 1000) / dayMs },
  };
}

/** How long `recipients` more have to wait for each cap, in milliseconds; 0: not at all. */
export function capWaits(
  { hourFullAt, dayFullAt }: SendingGuard,
  caps: RecipientCaps,
  recipients: number,
  nowMs: number,
): { readonly hour: number; readonly day: number } {
  const { hour, day } = ratesOf(caps);
  return {
    hour: waitMs(hour, hourFullAt, recipients, nowMs),
    day: waitMs(day, dayFullAt, recipients, nowMs),
  };
}

/** Hours whose counts matter: those of the last 24 hours. */
export const countedHours = 24;

/**
 * SES reviews an account from 5 % bounces and 0.1 % complaints, and may pause it from 10 % and 0.5 % ("Reputation metrics
 * messages", Amazon SES Developer Guide). A workspace is suspended in between, so that the account goes on for the others.
 * Fewer reports than `least` say nothing yet.
 */
export const suspensionRates = {
  bounces: { share: 0.05, least: 25 },
  complaints: { share: 0.003, least: 5 },
} as const;

/** Why the reports of the last 24 hours suspend a workspace; null: they do not. */
export function reasonToSuspend(
  { counts }: Pick<SendingGuard, 'counts'>,
  nowMs: number,
): 'bounces' | 'complaints' | null {
  const recent = counts.filter(({ hour }) => hour > hourOf(nowMs) - countedHours);
  const sum = (pick: (count: HourCount) => number) => recent.reduce((total, count) => total + pick(count), 0);
  const sent = sum((count) => count.sent);
  const exceeds = (reports: number, { share, least }: { share: number; least: number }) =>
    reports >= least && reports > share * sent;
  if (
    exceeds(
      sum((count) => count.complained),
      suspensionRates.complaints,
    )
  )
    return 'complaints';
  return exceeds(
    sum((count) => count.bounced),
    suspensionRates.bounces,
  )
    ? 'bounces'
    : null;
}
