/** Tells when the local cloud has come to rest: nothing runs, nothing is on its way but what waits for the clock. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Mover } from './event-sources.ts';

/** The cloud did not come to rest in time; the message says what still moves. */
export class StillMoving extends Error {}

export interface Quiescence {
  add(mover: Pick<Mover, 'busyWith'>): void;
  /** To be called whenever something has ended. */
  noteChange(): void;
  /**
   * Resolves once everything has come to rest.
   *
   * @throws StillMoving after `limitMs` of real time
   */
  settle(limitMs?: number): Promise<void>;
}

/** How long a cloud may move before that is an error. */
const limitMsByDefault = 30_000;

/**
 * @param options.quiet resolves when what has no mover of its own is done
 * @param options.report what is known beyond the movers, for the message of an error
 */
export function createQuiescence(options: { quiet: () => Promise<void>; report: () => string }): Quiescence {
  const movers: Pick<Mover, 'busyWith'>[] = [];
  let waiting: (() => void)[] = [];
  let changes = 0;

  const busy = () => movers.flatMap((mover) => mover.busyWith() ?? []);

  /** Messages pass from part to part in microtasks and turns, so one look is not enough. */
  async function isAtRest(): Promise<boolean> {
    for (let turn = 0; turn < 3; turn++) {
      await options.quiet();
      if (busy().length > 0) return false;
      await nextTurn();
    }
    return busy().length === 0;
  }

  /** Whether something changed since `seen` before the time was over. */
  function changeSince(seen: number, withinMs: number): Promise<boolean> | true {
    if (changes > seen) return true;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs, false);
      waiting.push(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  return {
    add: (mover) => movers.push(mover),
    noteChange() {
      changes += 1;
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    async settle(limitMs = limitMsByDefault) {
      const end = performance.now() + limitMs;
      for (;;) {
        // What ends while we look must not be waited for.
        const seen = changes;
        if (await isAtRest()) return;
        if (await changeSince(seen, Math.max(end - performance.now(), 0))) continue;
        throw new StillMoving(
          `the local cloud still moves after ${limitMs / 1000} s: ${busy().join('; ')}\n${options.report()}`,
        );
      }
    },
  };
}
