/** Changes of the tree of held emails (docs/decisions/0048-pacing.md#the-tree). */
import type { OutboxMessage } from '../queue-messages.ts';
import type { HeldPosition, NodeEntry, NodeId, ScopeState } from './held.ts';
import type { Constraint } from './rule.ts';

/** Changes that are written together, with the condition that their writer has the lease. */
export interface TreeChanges {
  readonly entries: readonly { readonly entry: NodeEntry; readonly isPresent: boolean }[];
  /** The entry of each node in its parent; null: the node is gone. */
  readonly links: readonly { readonly node: NodeId; readonly entry: NodeEntry | null }[];
  readonly scopes: readonly { readonly constraint: Constraint; readonly state: ScopeState }[];
  /** Emails that leave; each must still be held. */
  readonly released: readonly HeldPosition[];
  /** Emails that are removed, whether or not they are held. */
  readonly dropped: readonly HeldPosition[];
  readonly messages: readonly OutboxMessage[];
  /** Sort keys of entries of the inbox that are done. */
  readonly received: readonly string[];
  /** Change of the number of held emails. */
  readonly held: number;
  /** Progress of sorting after a change of the rules; undefined: unchanged. */
  readonly sortedTo?: HeldPosition | '' | null | undefined;
}

/** The outcome of a commit. Unless it is `done`, nothing was written. */
export type CommitOutcome =
  | 'done'
  /** Another worker has the lease. */
  | 'lost'
  /** Emails of `released` that are held no longer. */
  | readonly HeldPosition[];
