/** When EventBridge Scheduler fires a one-time schedule: up to 59 seconds late, some twice. */
import { createHash } from 'node:crypto';
import type { LocalClock } from './service.ts';

export interface FiringOptions {
  readonly clock: LocalClock;
  /** Delay of each firing; default: 0 to 59 seconds, by a hash of the schedule's name. */
  readonly lateSeconds?: number;
  /** Whether one schedule in eight, by a hash of its name, fires twice; default true. */
  readonly sendsDuplicates?: boolean;
}

/** Time between first and second firing. */
const duplicateDelayMs = 7_000;

/**
 * Sets the timer of a schedule. Returns a function that cancels it, but not a second firing after the first one.
 *
 * @param isSecond whether the schedule has fired before
 */
export function scheduleFiring(
  { name, atMs }: { readonly name: string; readonly atMs: number },
  { clock, lateSeconds, sendsDuplicates = true }: FiringOptions,
  fire: (isSecond: boolean) => void,
): () => void {
  const firesAt = atMs + (lateSeconds ?? hashOf(name, 0) % 60) * 1000;
  return clock.at(firesAt, () => {
    if (sendsDuplicates && firesTwice(name)) clock.at(firesAt + duplicateDelayMs, () => fire(true));
    fire(false);
  });
}

/** Whether a schedule is one of those that fire twice. */
export function firesTwice(name: string): boolean {
  return hashOf(name, 4) % 8 === 0;
}

const hashOf = (name: string, offset: number): number =>
  createHash('sha256').update(name).digest().readUInt32BE(offset);
