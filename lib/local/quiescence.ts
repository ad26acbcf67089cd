/** Quiescence of the local cloud: no background work is running or pending, except timers. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BackgroundTask } from './background-task.ts';

/** The cloud is not quiescent and does not change; the message lists the pending work. */
export class QuiescenceTimeout extends Error {}

export interface Quiescence {
  add(task: Pick<BackgroundTask, 'pendingWork'>): void;
  /** Call after each completed piece of work. */
  noteChange(): void;
  /**
   * Waits for quiescence.
   *
   * @throws QuiescenceTimeout after `limitMs` of real time without a change: a slow machine is waited for
   */
  settle(limitMs?: number): Promise<void>;
}

/** Default limit of `settle`. */
const limitMsByDefault = 30_000;

/**
 * @param options.idle resolves when work that is no background task is done
 * @param options.report details for the message of QuiescenceTimeout
 */
export function createQuiescence(options: { idle: () => Promise<void>; report: () => string }): Quiescence {
  const tasks: Pick<BackgroundTask, 'pendingWork'>[] = [];
  let waiting: (() => void)[] = [];
  let changes = 0;

  const pending = () => tasks.flatMap((task) => task.pendingWork() ?? []);

  /** Checks several times: work passes between services in microtasks and event loop turns. */
  async function isQuiescent(): Promise<boolean> {
    for (let turn = 0; turn < 3; turn++) {
      await options.idle();
      if (pending().length > 0) return false;
      await nextTurn();
    }
    return pending().length === 0;
  }

  /** Whether a change after `seen` happens within the time. */
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
    add: (task) => tasks.push(task),
    noteChange() {
      changes += 1;
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    async settle(limitMs = limitMsByDefault) {
      for (;;) {
        // Changes during the check count.
        const seen = changes;
        if (await isQuiescent()) return;
        if (await changeSince(seen, limitMs)) continue;
        throw new QuiescenceTimeout(
          `the local cloud is not quiescent, and nothing has changed for ${limitMs / 1000} s: ${pending().join('; ')}\n${options.report()}`,
        );
      }
    },
  };
}
