/** Virtual time: timers fire in order, and the time between them takes none. */
import { setImmediate as nextTurn } from 'node:timers/promises';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly fire: () => void;
}

export interface VirtualClock {
  /** Milliseconds. */
  now(): number;
  pause(ms: number): Promise<void>;
  at(ms: number, fire: () => void): void;
  /** Fires every timer up to `untilMs`, each after the work of those before it. */
  run(untilMs: number): Promise<void>;
}

export function virtualClock(startMs: number): VirtualClock {
  const heap: Timer[] = [];
  let time = startMs;
  let order = 0;

  const isBefore = (one: Timer, other: Timer) =>
    one.at < other.at || (one.at === other.at && one.order < other.order);

  function at(ms: number, fire: () => void): void {
    heap.push({ at: Math.max(Math.round(ms), time), order: order++, fire });
    for (let child = heap.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!swapIfBefore(child, parent)) return;
      child = parent;
    }
  }

  function swapIfBefore(one: number, other: number): boolean {
    const [first, second] = [heap[one], heap[other]];
    if (!first || !second || !isBefore(first, second)) return false;
    heap[one] = second;
    heap[other] = first;
    return true;
  }

  function pop(): Timer | undefined {
    const [first] = heap;
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    heap[0] = last;
    for (let parent = 0; ; ) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2];
      const [one, other] = [heap[left], heap[right]];
      const child = one && other && isBefore(other, one) ? right : left;
      if (!swapIfBefore(child, parent)) return first;
      parent = child;
    }
  }

  return {
    now: () => time,
    pause: (ms) => new Promise((resolve) => at(time + ms, resolve)),
    at,
    async run(untilMs) {
      await nextTurn();
      while ((heap[0]?.at ?? Number.POSITIVE_INFINITY) <= untilMs) {
        time = heap[0]?.at ?? time;
        while (heap[0]?.at === time) pop()?.fire();
        // The work that the timers have resumed goes on until it waits for another one.
        await nextTurn();
      }
      time = Math.max(time, untilMs);
    },
  };
}
