/** Posts events in their order, some at the same time, and keeps the journal of it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Event } from '../../../typescript/src/index.ts';
import type { Journal } from './journal.ts';
import { type Attempt, type PostTarget, postUntilDelivered } from './post.ts';

/** Posts at the same time; a deployment has 16 by default. */
export const postsAtOnce = 8;

export interface Forwarding {
  readonly target: PostTarget;
  readonly journal: Journal;
  /** Events that an earlier run has posted. */
  readonly done: ReadonlySet<string>;
  /** null: all. */
  readonly types: ReadonlySet<string> | null;
  /** Ends after the first event. */
  readonly isOnce: boolean;
  /** @param retryInMs null: it was the last one */
  readonly onAttempt: (event: Event, attempt: Attempt, retryInMs: number | null) => void;
  /** The signal was aborted while posts run. */
  readonly onWait: () => void;
  readonly signal: AbortSignal;
}

/**
 * Returns when the signal is aborted, with no post cut short.
 *
 * @returns false: with `isOnce`, the event was not delivered
 */
export async function forward(events: AsyncIterable<Event>, forwarding: Forwarding): Promise<boolean> {
  const { journal, done, types, isOnce, signal } = forwarding;
  const running = new Set<Promise<boolean>>();
  for await (const event of events) {
    if (signal.aborted) break;
    if (done.has(event.id)) continue;
    if (types && !types.has(event.type)) {
      if (running.size === 0) journal.passed(event.id);
      continue;
    }
    const work = post(event, forwarding);
    if (isOnce) return await work;
    running.add(work);
    // What it rejects with is the stop.
    work.catch(() => {}).finally(() => running.delete(work));
    if (running.size >= postsAtOnce) await Promise.race(running).catch(() => {});
  }
  if (running.size > 0) forwarding.onWait();
  await Promise.allSettled(running);
  return true;
}

async function post(event: Event, { journal, target, signal, onAttempt }: Forwarding): Promise<boolean> {
  journal.started(event.id);
  return await postUntilDelivered(event, target, {
    wait: async (ms) => void (await pause(ms, undefined, { signal })),
    onAttempt: (attempt, retryInMs) => {
      // What is told is written down.
      if (retryInMs === null) journal.ended(event.id);
      onAttempt(event, attempt, retryInMs);
    },
  });
}
