/**
 * Buckets of units that refill. A bucket is one time: when it is full again (the "theoretical arrival time" of the
 * generic cell rate algorithm, ITU-T I.371). Spending moves it later, so that concurrent changes add up.
 */

export interface Rate {
  readonly unitsPerSecond: number;
  /** Units of a full bucket. */
  readonly capacity: number;
}

/** Milliseconds in which `units` are refilled; those above the capacity do not count. */
export function refillMs({ unitsPerSecond, capacity }: Rate, units: number): number {
  return (Math.min(units, capacity) * 1000) / unitsPerSecond;
}

/** Units that are not refilled yet. */
export function spentUnits({ unitsPerSecond, capacity }: Rate, fullAt: number, nowMs: number): number {
  return Math.min(capacity, (Math.max(0, fullAt - nowMs) * unitsPerSecond) / 1000);
}

/**
 * The latest time at which a bucket may be full again for `units` to be spent at `nowMs`. More units than a bucket has
 * take all of it.
 */
export function latestFullAt(rate: Rate, units: number, nowMs: number): number {
  return nowMs + refillMs(rate, Math.max(0, rate.capacity - units));
}

/** How long `units` have to wait; 0: not at all. */
export function waitMs(rate: Rate, fullAt: number, units: number, nowMs: number): number {
  return Math.max(0, fullAt - latestFullAt(rate, units, nowMs));
}
