/** The pacer of a workspace: its state and its times (docs/decisions/0048-pacing.md#the-pacer). */
import type { JobState } from '../work/job.ts';
import type { HeldPosition } from './held.ts';

export interface PacerState extends JobState {
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

/** What a session changes as it ends. */
export type PacerChange = Partial<Pick<PacerState, 'held'>>;

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
