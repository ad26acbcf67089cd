/** What the tree of held emails is stored in: the table, or memory for projections and simulations. */
import type { HeldPosition, NodeEntry, NodeId, ScopeState } from '../../core/pacing/held.ts';
import type { Constraint } from '../../core/pacing/rule.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';

export type EntryState = 'ready' | 'later';

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

export interface TreeStore {
  /** The first entries of a node in one state, in order. */
  listEntries(
    node: NodeId,
    state: EntryState,
    limit: number,
  ): Promise<{ readonly entries: readonly NodeEntry[]; readonly isAll: boolean }>;
  /** The entry of a node in its parent; null: it has no email. */
  findEntryOf(node: NodeId): Promise<NodeEntry | null>;
  findScopes(constraints: readonly Constraint[]): Promise<readonly (ScopeState | null)[]>;
  commit(changes: TreeChanges): Promise<CommitOutcome>;
}
