/** Health of an endpoint: what its recent attempts say about the next ones (docs/concepts/webhooks.md#failing-endpoints). */

/** Attempts of tests and of requested retries do not count. */
export interface Health {
  /** Failed attempts in a row. */
  readonly failures: number;
  /** Since when nothing got through; null: the last attempt succeeded, or there was none. Unix milliseconds. */
  readonly failingSince: number | null;
  /** The first success after the last failure: those that follow it are not noted. null: there was none yet. */
  readonly succeededAt: number | null;
  /** Failed probes in a row. */
  readonly probes: number;
  /** No attempt is made before, where the endpoint is closed. */
  readonly nextProbeAt: number | null;
  /** Whether the members know of the outage. */
  readonly isOutageReported: boolean;
}

export const newHealth: Health = {
  failures: 0,
  failingSince: null,
  succeededAt: null,
  probes: 0,
  nextProbeAt: null,
  isOutageReported: false,
};

/** So many failures in a row close an endpoint. */
export const closingFailures = 5;
const probeWaitMs = { first: 30_000, max: 5 * 60_000 };
const probeJitter = 0.2;
/** An outage is reported after this time without a success. */
export const outageAfterMs = 24 * 3_600_000;

/** One attempt, as far as health is concerned. */
export interface AttemptResult {
  readonly outcome:
    | 'success'
    | 'failure'
    /** Of a requested retry, or of a delivery of which nothing is left to post. */
    | 'uncounted'
    /** The endpoint is disabled: no request was made. */
    | 'skipped';
  /** Whether the endpoint was closed when the attempt began. */
  readonly isProbe: boolean;
  /** When the delivery was created. */
  readonly createdAt: number;
}

/** Whether the endpoint gets one attempt for each probe time only. */
export function isClosed({ failures }: Health): boolean {
  return failures >= closingFailures;
}

/** No attempt before this time; 0 where the endpoint is open. */
export function mayAttemptAt(health: Health): number {
  return isClosed(health) ? (health.nextProbeAt ?? 0) : 0;
}

/** Whether the last attempt succeeded. */
export function isProved({ failures, succeededAt }: Health): boolean {
  return failures === 0 && succeededAt !== null;
}

/**
 * How many attempts may run at the same time at an open endpoint. One that has not answered yet, or that fails, gets no more than would
 * close it.
 */
export function attemptsAtOnce(health: Health, maxConcurrency: number): number {
  if (isProved(health)) return maxConcurrency;
  return Math.min(maxConcurrency, Math.max(0, closingFailures - health.failures));
}

/**
 * The health after an attempt that ended at `atMs`; the same object where nothing has changed.
 *
 * @param random returns a number in [0, 1)
 */
export function healthAfter(
  health: Health,
  { outcome, isProbe, createdAt }: AttemptResult,
  atMs: number,
  random: () => number,
): Health {
  if (outcome === 'success') {
    const isSteady = health.failures === 0 && health.succeededAt !== null;
    return isSteady ? health : { ...newHealth, succeededAt: atMs };
  }
  // The next delivery is attempted at once: this one said nothing about the endpoint.
  if (outcome === 'uncounted') return isProbe ? { ...health, nextProbeAt: atMs } : health;
  if (outcome === 'skipped') {
    return isProbe ? { ...health, nextProbeAt: atMs + probeWait(health.probes, random) } : health;
  }
  const failures = health.failures + 1;
  const probes = health.probes + (isProbe ? 1 : 0);
  const isNewWait = failures === closingFailures || isProbe;
  return {
    ...health,
    failures,
    probes,
    failingSince: health.failingSince ?? Math.max(createdAt, health.succeededAt ?? 0),
    nextProbeAt: isNewWait ? atMs + probeWait(probes, random) : health.nextProbeAt,
  };
}

/** The wait before the next probe: 30 s before the first one, doubled by each that fails. */
function probeWait(probes: number, random: () => number): number {
  const wait = Math.min(probeWaitMs.max, probeWaitMs.first * 2 ** Math.min(probes, 10));
  return Math.round(wait * (1 + probeJitter * (2 * random() - 1)));
}

/** Whether an outage is to be reported now that an attempt has failed. */
export function isOutageDue({ failingSince, isOutageReported }: Health, atMs: number): boolean {
  return failingSince !== null && !isOutageReported && atMs - failingSince >= outageAfterMs;
}
