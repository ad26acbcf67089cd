/** The clock of the local cloud: real time plus a skew that tests change, shared with every function thread. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LocalClock } from './aws/service.ts';

/** Longest delay of `setTimeout`. */
const timeoutMsMax = 2 ** 31 - 1;

interface Timer {
  readonly atMs: number;
  readonly action: () => void;
}

/** Shared memory for the skew: milliseconds ahead of real time, a float64. */
export function newSkew(): SharedArrayBuffer {
  return new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
}

export interface MovableClock extends LocalClock {
  /**
   * Makes `advance` wait for `settled` after each batch of timers, so that work started by a timer sees the time at which
   * the timer was due.
   */
  waitBetweenSteps(settled: () => Promise<void>): void;
  /** Drops all timers. */
  close(): void;
}

/**
 * A clock that starts at real time. Its timers keep no process alive.
 *
 * @param skew memory of `newSkew`, shared with the threads that use this clock
 * @param onMoved called with the new skew after each move
 */
export function createClock(skew = newSkew(), onMoved: (skewMs: number) => void = () => {}): MovableClock {
  const skewMs = new Float64Array(skew);
  /** Soonest first, then in the order of registration. */
  const timers: Timer[] = [];
  let timeout: NodeJS.Timeout | undefined;
  let moving: Promise<void> = Promise.resolve();
  let settled = async () => {};

  const now = () => Date.now() + (skewMs[0] ?? 0);

  function arm(): void {
    clearTimeout(timeout);
    const next = timers[0];
    if (!next) return;
    timeout = setTimeout(fireDue, Math.min(Math.max(next.atMs - now(), 0), timeoutMsMax)).unref();
  }

  function fireDue(): void {
    const until = now();
    for (let timer = timers[0]; timer && timer.atMs <= until; timer = timers[0]) {
      timers.shift();
      timer.action();
    }
    arm();
  }

  /** By whole milliseconds, as the system clock: timers and moves may have fractions, and ids are made of the time. */
  function moveAhead(toMs: number): void {
    skewMs[0] = (skewMs[0] ?? 0) + Math.max(Math.ceil(toMs - now()), 0);
    onMoved(skewMs[0]);
  }

  async function moveTo(targetMs: number): Promise<void> {
    for (let next = timers[0]; next && next.atMs <= targetMs; next = timers[0]) {
      moveAhead(next.atMs);
      fireDue();
      // One turn of the event loop for work that timers start in this thread.
      await nextTurn();
      await settled();
    }
    moveAhead(targetMs);
    arm();
  }

  return {
    now,
    skew,
    at(atMs, action) {
      const timer = { atMs, action };
      const index = timers.findLastIndex((other) => other.atMs <= atMs) + 1;
      timers.splice(index, 0, timer);
      if (index === 0) arm();
      return () => {
        const found = timers.indexOf(timer);
        if (found >= 0) timers.splice(found, 1);
      };
    },
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`the clock cannot go back (${ms} ms)`);
      // One move after the other: concurrent moves add up.
      const done = moving.then(() => moveTo(now() + ms));
      moving = done.catch(() => {});
      return done;
    },
    waitBetweenSteps(wait) {
      settled = wait;
    },
    close() {
      clearTimeout(timeout);
      timers.length = 0;
    },
  };
}
