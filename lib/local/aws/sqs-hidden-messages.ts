/** The messages of one queue under a delay or a visibility timeout, and the timer that makes them visible. */
import type { LocalClock } from './service.ts';

interface Hideable {
  /** Position in the order of sending. */
  readonly order: number;
  /** End of a delay or visibility timeout, Unix milliseconds. */
  hiddenUntil: number;
}

export interface HiddenMessages<M extends Hideable> {
  count(): number;
  has(message: M): boolean;
  hide(message: M, untilMs: number): void;
  delete(message: M): void;
  /** Passes on the messages whose delay or visibility timeout has ended, which are hidden no more. */
  releaseDue(): void;
}

/** @param release called with each message that becomes visible, the one that was due first first */
export function createHiddenMessages<M extends Hideable>(
  clock: LocalClock,
  release: (message: M) => void,
): HiddenMessages<M> {
  const hidden = new Set<M>();
  const wakeUp = createWakeUp(clock, releaseDue);

  function releaseDue(): void {
    const now = clock.now();
    if (!wakeUp.isDue(now)) return;
    let next = Number.POSITIVE_INFINITY;
    const due: M[] = [];
    for (const message of hidden) {
      if (message.hiddenUntil <= now) due.push(message);
      else next = Math.min(next, message.hiddenUntil);
    }
    due.sort((a, b) => a.hiddenUntil - b.hiddenUntil || a.order - b.order);
    for (const message of due) {
      hidden.delete(message);
      release(message);
    }
    wakeUp.reset(next);
  }

  return {
    count: () => hidden.size,
    has: (message) => hidden.has(message),
    hide(message, untilMs) {
      message.hiddenUntil = untilMs;
      hidden.add(message);
      wakeUp.noLaterThan(untilMs);
    },
    delete: (message) => void hidden.delete(message),
    releaseDue,
  };
}

/** One timer for the soonest of many times. */
function createWakeUp(clock: LocalClock, action: () => void) {
  let atMs = Number.POSITIVE_INFINITY;
  let cancel = () => {};

  function reset(nextMs: number): void {
    cancel();
    atMs = nextMs;
    cancel = nextMs < Number.POSITIVE_INFINITY ? clock.at(nextMs, action) : () => {};
  }

  return {
    isDue: (nowMs: number) => nowMs >= atMs,
    noLaterThan(untilMs: number) {
      if (untilMs < atMs) reset(untilMs);
    },
    reset,
  };
}
