/** What the tree of held emails is stored in: the table, or memory for projections and simulations. */
import type { NodeEntry, NodeId, ScopeState } from '../../core/pacing/held.ts';
import type { Constraint } from '../../core/pacing/rule.ts';
import type { CommitOutcome, TreeChanges } from '../../core/pacing/tree-changes.ts';

export type EntryState = 'ready' | 'later';

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
