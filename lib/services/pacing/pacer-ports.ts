/** What the pacer needs from the outside; a simulation has the same on virtual time (scripts/pacing). */
import type { SpaceId } from '../../core/ids.ts';
import type { HeldEmail, HeldPosition } from '../../core/pacing/held.ts';
import type { PacerChange, PacerState, TreeProgress } from '../../core/pacing/pacer.ts';
import type { PacedMessage, RuleSet } from '../../core/pacing/rule.ts';
import type { TreeStore } from '../../core/pacing/tree-store.ts';
import type { JobStore } from '../../core/work/job.ts';

/** What acceptance and the API leave to the pacer. */
export type InboxEntry = { readonly key: string } & (
  | { readonly kind: 'held'; readonly position: HeldPosition }
  /** An email left without the pacer. */
  | {
      readonly kind: 'left';
      readonly message: PacedMessage;
      readonly wasHeld: boolean;
      readonly isCounted: boolean;
    }
);

/** The ports of the pacer of one workspace. */
export interface PacerPorts {
  readonly job: JobStore<PacerState, PacerChange>;
  now(): number;
  pause(ms: number): Promise<void>;

  /** False where the lease is lost. */
  saveTree(token: string, state: TreeProgress): Promise<boolean>;

  rules(): Promise<RuleSet>;
  /** Whether emails of a space are removed instead of sent. */
  deletedSpaces(): Promise<(spaceId: SpaceId | null) => boolean>;
  /** @param version of the rules, hence of the tree */
  store(version: number, token: string): TreeStore;
  listInbox(limit: number): Promise<readonly InboxEntry[]>;
  /** Which of these emails have an entry in the inbox. */
  findArrivals(positions: readonly HeldPosition[]): Promise<readonly boolean[]>;
  findHeld(positions: readonly HeldPosition[]): Promise<readonly (HeldEmail | null)[]>;
  /** Held emails by age. @param after a position; empty: from the oldest */
  listHeld(after: HeldPosition | '', limit: number): Promise<readonly HeldEmail[]>;
  /** Removes a part of an old tree. True where nothing of it is left. */
  removeTree(version: number): Promise<boolean>;
}
