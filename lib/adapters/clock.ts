/** The only source of time: the system clock, plus a skew in the local cloud that all threads share. */
import { getEnvironmentData } from 'node:worker_threads';

/** Worker-thread environment key under which the local cloud shares the skew (Float64Array, milliseconds). */
export const clockSkewKey = 'parley.clock-skew-ms';

/** Read at the first call, so that a thread can import this module before it sets the skew. */
let skew: Float64Array | undefined;

/** Unix milliseconds. */
export function now(): number {
  return Date.now() + clockSkewMs();
}

/** How far `now` is ahead of the system clock, for libraries that read the latter. */
export function clockSkewMs(): number {
  skew ??= skewOfThread();
  return skew[0] ?? 0;
}

function skewOfThread(): Float64Array {
  const shared = getEnvironmentData(clockSkewKey);
  return shared instanceof SharedArrayBuffer ? new Float64Array(shared) : new Float64Array(1);
}

/**
 * Waits `ms` milliseconds of real time, independent of the skew: pauses between attempts of a call depend on the callee's
 * clock.
 */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** RFC 3339 in UTC with milliseconds (docs/concepts/requests.md#timestamps). */
export function timestamp(atMs: number = now()): string {
  return new Date(atMs).toISOString();
}

/** A stopwatch of real time: a function that returns the whole milliseconds since this call. */
export function stopwatch(): () => number {
  const startedAt = performance.now();
  return () => Math.round(performance.now() - startedAt);
}

/** The result of `work`, or null after `ms` milliseconds of real time; then `cancel` is called. */
export async function within<T>(ms: number, cancel: () => void, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      cancel();
      resolve(null);
    }, ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
