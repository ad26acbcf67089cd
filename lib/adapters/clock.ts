/** The one source of time. Deployed it is the system's; the local cloud moves it for every thread at once. */
import { getEnvironmentData } from 'node:worker_threads';

/** Worker-thread environment key under which the local cloud shares the skew (Float64Array, milliseconds). */
export const clockSkewKey = 'parley.clock-skew-ms';

/** Looked for at the first question, so that a thread can import this and then say by which clock it lives. */
let skew: Float64Array | undefined;

/** Unix milliseconds. */
export function now(): number {
  skew ??= skewOfThread();
  return Date.now() + (skew[0] ?? 0);
}

function skewOfThread(): Float64Array {
  const shared = getEnvironmentData(clockSkewKey);
  return shared instanceof SharedArrayBuffer ? new Float64Array(shared) : new Float64Array(1);
}

/**
 * Waits `ms` milliseconds of real time, whatever becomes of the clock: it stands between two tries of a call, and who is
 * called does not live by our clock.
 */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** RFC 3339 UTC with milliseconds (interface, general rule 8). */
export function timestamp(atMs: number = now()): string {
  return new Date(atMs).toISOString();
}
