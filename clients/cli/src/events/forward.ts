/** Posts events in their order, some at the same time, and keeps the journal of it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Event } from '../../../typescript/src/index.ts';
import type { Feed } from './feed.ts';
import type { Journal } from './journal.ts';
import { type Attempt, type PostTarget, postUntilDelivered } from './post.ts';

/** Posts at the same time; a deployment has 16 by default. */
export const postsAtOnce = 8;

export interface Forwarding {
  readonly target: PostTarget;
  readonly journal: Journal;
  readonly feed: Feed;
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
export async function forward(
  pages: AsyncIterable<readonly Event[]>,
  forwarding: Forwarding,
): Promise<boolean> {
  const { journal, feed, types, isOnce, signal } = forwarding;
  const running = new Set<Promise<boolean>>();
  for await (const page of pages) {
    for (const event of page.filter(({ type }) => types?.has(type) ?? true)) {
      if (signal.aborted) break;
      const work = post(event, forwarding);
      if (isOnce) return await work;
      running.add(work);
      // What it rejects with is the stop.
      work.catch(() => {}).finally(() => running.delete(work));
      if (running.size >= postsAtOnce) await Promise.race(running).catch(() => {});
    }
    if (signal.aborted) break;
    if (running.size === 0 && page.length > 0) journal.passed(feed.latest());
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
