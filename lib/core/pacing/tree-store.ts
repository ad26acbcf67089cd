/** The tree of held emails: what is read of it, and what is written together (docs/decisions/0048-pacing.md#the-tree). */
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

export type EntryState = 'ready' | 'later';

/** What the tree is stored in: the table, or memory for projections and simulations. */
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
