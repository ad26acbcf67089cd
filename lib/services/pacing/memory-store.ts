/** The tree in memory, for projections of the queue and for simulations. */
import {
  constraintKey,
  entryKey,
  type HeldPosition,
  laterPrefix,
  type NodeEntry,
  type NodeId,
  readyPrefix,
  type ScopeState,
} from '../../core/pacing/held.ts';
import type { TreeChanges, TreeStore } from '../../core/pacing/tree-store.ts';

/** The entries of a node, by sort key. */
interface MemoryNode {
  readonly keys: string[];
  readonly entries: Map<string, NodeEntry>;
}

export interface MemoryTree {
  readonly nodes: Map<NodeId, MemoryNode>;
  readonly links: Map<NodeId, NodeEntry>;
  readonly scopes: Map<string, ScopeState>;
}

export const newMemoryTree = (): MemoryTree => ({ nodes: new Map(), links: new Map(), scopes: new Map() });

/** The number of keys before `key`. */
function placeOf(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function setEntry(tree: MemoryTree, entry: NodeEntry, isPresent: boolean): void {
  const node = tree.nodes.get(entry.node) ?? { keys: [], entries: new Map<string, NodeEntry>() };
  tree.nodes.set(entry.node, node);
  const key = entryKey(entry);
  const isKnown = node.entries.has(key);
  if (isPresent) {
    if (!isKnown) node.keys.splice(placeOf(node.keys, key), 0, key);
    node.entries.set(key, entry);
  } else if (isKnown) {
    node.keys.splice(placeOf(node.keys, key), 1);
    node.entries.delete(key);
  }
}

/** @param commitHeld applies what the changes say of held emails; returns those that are held no longer */
export function memoryStore(
  tree: MemoryTree,
  commitHeld: (changes: TreeChanges) => readonly HeldPosition[] = () => [],
): TreeStore {
  return {
    listEntries: async (id, state, limit) => {
      const node = tree.nodes.get(id);
      if (!node) return { entries: [], isAll: true };
      const first = placeOf(node.keys, state === 'ready' ? readyPrefix : laterPrefix);
      const end = state === 'ready' ? node.keys.length : placeOf(node.keys, readyPrefix);
      const keys = node.keys.slice(first, Math.min(first + limit, end));
      return { entries: keys.flatMap((key) => node.entries.get(key) ?? []), isAll: first + limit >= end };
    },
    findEntryOf: async (node) => tree.links.get(node) ?? null,
    findScopes: async (constraints) => constraints.map((one) => tree.scopes.get(constraintKey(one)) ?? null),
    commit: async (changes) => {
      const gone = commitHeld(changes);
      if (gone.length > 0) return gone;
      for (const { entry, isPresent } of changes.entries) setEntry(tree, entry, isPresent);
      for (const { node, entry } of changes.links) {
        if (entry) tree.links.set(node, entry);
        else tree.links.delete(node);
      }
      for (const { constraint, state } of changes.scopes) tree.scopes.set(constraintKey(constraint), state);
      return 'done';
    },
  };
}
