/** The source of time: the clock of the system, which the local cloud moves for all threads at once. */
import { getEnvironmentData } from 'node:worker_threads';

/** Worker-thread environment key under which the local cloud shares the skew (Float64Array, milliseconds). */
export const clockSkewKey = 'parley.clock-skew-ms';

/** Read at the first call, so that a thread can set its environment data after importing this module. */
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

/** Waits `ms` milliseconds of real time, also when the clock is moved: between two attempts of a network call. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** RFC 3339 timestamp in UTC with milliseconds. */
export function timestamp(atMs: number = now()): string {
  return new Date(atMs).toISOString();
}
