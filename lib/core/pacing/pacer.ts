/** The pacer of a workspace: its state, its times, and when it is needed next (docs/decisions/0048-pacing.md#the-pacer). */
import type { HeldPosition } from './held.ts';

export interface PacerState {
  /** The worker that has the tree, the only one; null: none has. */
  readonly lease: { readonly token: string; readonly until: number } | null;
  /** Whether the worker is to look for more before it ends. */
  readonly again: boolean;
  /** When the timer fires; null: none is set. Unix milliseconds. */
  readonly wakeAt: number | null;
  /** The version of the rules by which the tree is built; 0: there is none. */
  readonly treeVersion: number;
  /** Held emails up to this position are in the tree, after a change of the rules; null: all are. */
  readonly sortedTo: HeldPosition | '' | null;
  /** Versions of trees that are to be removed. */
  readonly oldTrees: readonly number[];
  /** Number of held emails, those of the inbox left out. Deletion of a space may leave it too high until nothing waits. */
  readonly held: number;
}

export type TreeProgress = Pick<PacerState, 'treeVersion' | 'sortedTo' | 'oldTrees'>;

export const unusedPacer: PacerState = {
  lease: null,
  again: false,
  wakeAt: null,
  treeVersion: 0,
  sortedTo: null,
  oldTrees: [],
  held: 0,
};

export const pacerTimes = {
  /** A session goes on for this time, then hands over. */
  sessionMs: 10_000,
  /** Longer than the timeout of the function, shorter than the visibility timeout of its queue. */
  leaseMs: 60_000,
  /** A session waits this long for the next email; a timer fires as much earlier, as queues delay by whole seconds. */
  patienceMs: 2000,
  earlyMs: 1000,
} as const;

/** When a session that ends now is followed by another one: by a timer at this time; null: by none. */
export function wakeFor(nextAt: number | null): number | null {
  return nextAt === null ? null : nextAt - pacerTimes.earlyMs;
}

/** Whether the timer that is set is early enough for `wakeAt`. */
export function isTimerSet(
  { wakeAt }: Pick<PacerState, 'wakeAt'>,
  neededAt: number | null,
  nowMs: number,
): boolean {
  return neededAt === null || (wakeAt !== null && wakeAt > nowMs && wakeAt <= neededAt);
}
