/** Health of an endpoint: what its recent attempts say about the next ones (docs/concepts/webhooks.md#failing-endpoints). */

import type { Lane } from './lane.ts';

/** Attempts of tests and replays do not count. */
export interface Health {
  readonly lane: Lane;
  /** Quick answers in a row. */
  readonly quickAnswers: number;
  /** Failed attempts in a row. */
  readonly failures: number;
  /** Since when nothing got through; null: the last attempt succeeded, or there was none. Unix milliseconds. */
  readonly failingSince: number | null;
  /** Earlier than the last success where sessions ended without a release; null: none is known. */
  readonly lastSuccessAt: number | null;
  /** Failed probes in a row. */
  readonly probes: number;
  /** No attempt is made before, where failures are `probingFailures` or more. */
  readonly nextProbeAt: number | null;
  /** Whether the members know of the outage. */
  readonly isOutageReported: boolean;
}

/** An endpoint has to show that it answers quickly: one that never did holds no worker of the fast lane. */
export const newHealth: Health = {
  lane: 'slow',
  quickAnswers: 0,
  failures: 0,
  failingSince: null,
  lastSuccessAt: null,
  probes: 0,
  nextProbeAt: null,
  isOutageReported: false,
};

/** From so many failures in a row on, an endpoint is probed. */
export const probingFailures = 5;
const probeWaitMs = { first: 30_000, max: 5 * 60_000 };
const probeJitter = 0.2;
/** An answer that takes longer is slow. */
export const quickMs = 2000;
/** Quick answers in a row that bring an endpoint back to the fast lane. */
const quickAnswersToFast = 5;
/** An outage is reported after this time without a success. */
export const outageAfterMs = 24 * 3_600_000;

/** One attempt, as far as health is concerned. */
export interface AttemptResult {
  readonly isSuccess: boolean;
  /** Whether the receiver answered at all. */
  readonly isAnswered: boolean;
  readonly durationMs: number;
  /** Whether the endpoint was probed when the attempt began; others may still run then. */
  readonly isProbe: boolean;
  /** When the delivery was created. */
  readonly createdAt: number;
}

/** Whether the endpoint gets one attempt for each probe time only. */
export function isProbing({ failures }: Health): boolean {
  return failures >= probingFailures;
}

/**
 * The health after an attempt that ended at `atMs`.
 *
 * @param random returns a number in [0, 1)
 */
export function healthAfter(
  health: Health,
  result: AttemptResult,
  atMs: number,
  random: () => number,
): Health {
  const isQuick = result.isAnswered && result.durationMs <= quickMs;
  const quickAnswers = isQuick ? health.quickAnswers + 1 : 0;
  const isBack = health.lane === 'fast' || quickAnswers >= quickAnswersToFast;
  const lane: Lane = isQuick && isBack ? 'fast' : 'slow';
  if (result.isSuccess) return { ...newHealth, lane, quickAnswers, lastSuccessAt: atMs };
  const failures = health.failures + 1;
  const probes = health.probes + (result.isProbe ? 1 : 0);
  const isNewWait = failures === probingFailures || result.isProbe;
  return {
    ...health,
    lane,
    quickAnswers,
    failures,
    probes,
    failingSince: health.failingSince ?? Math.max(result.createdAt, health.lastSuccessAt ?? 0),
    nextProbeAt: isNewWait ? atMs + probeWait(probes, random) : health.nextProbeAt,
  };
}

/** Whether an attempt has changed nothing that a decision depends on: an endpoint of the fast lane has answered quickly once more. */
export function isSteady(before: Health, after: Health): boolean {
  return [before, after].every(({ lane, failures }) => lane === 'fast' && failures === 0);
}

/** The health of a disabled endpoint after the time of a probe, which was not made. */
export function skipProbe(health: Health, atMs: number, random: () => number): Health {
  return { ...health, nextProbeAt: atMs + probeWait(health.probes, random) };
}

/** The wait before the next probe: 30 s before the first one, doubled by each that fails. */
function probeWait(probes: number, random: () => number): number {
  const wait = Math.min(probeWaitMs.max, probeWaitMs.first * 2 ** Math.min(probes, 10));
  return Math.round(wait * (1 + probeJitter * (2 * random() - 1)));
}

/** Whether an outage is to be reported now that a delivery has failed for good. */
export function isOutageDue({ failingSince, isOutageReported }: Health, atMs: number): boolean {
  return failingSince !== null && !isOutageReported && atMs - failingSince >= outageAfterMs;
}
