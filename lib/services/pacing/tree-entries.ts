/** The entries of the nodes of the tree: the first ones of each node are read once and kept. */
import { entryKey, type NodeEntry, type NodeId } from '../../core/pacing/held.ts';
import type { EntryState, TreeStore } from '../../core/pacing/tree-store.ts';
import type { PendingChanges } from './pending-changes.ts';

const pageSize = 50;

/** The first entries of a node in one state. */
interface Window {
  entries: NodeEntry[];
  isAll: boolean;
}

const windowKey = (node: NodeId, state: EntryState): string => `${node} ${state}`;
const windowOf = ({ node, dueAt }: NodeEntry): string => windowKey(node, dueAt === null ? 'ready' : 'later');

export class TreeEntries {
  readonly #store: Pick<TreeStore, 'listEntries' | 'findEntryOf'>;
  readonly #pending: PendingChanges;
  readonly #windows = new Map<string, Window>();
  readonly #links = new Map<NodeId, NodeEntry | null>();

  constructor(store: Pick<TreeStore, 'listEntries' | 'findEntryOf'>, pending: PendingChanges) {
    this.#store = store;
    this.#pending = pending;
  }

  /** The first entries of a node in one state, at least two where it has as many. */
  async heads(node: NodeId, state: EntryState): Promise<readonly NodeEntry[]> {
    const key = windowKey(node, state);
    const window = this.#windows.get(key);
    if (window && (window.isAll || window.entries.length > 1)) return window.entries;
    await this.#pending.flush();
    const { entries, isAll } = await this.#store.listEntries(node, state, pageSize);
    this.#windows.set(key, { entries: [...entries], isAll });
    return entries;
  }

  put(entry: NodeEntry): void {
    this.#pending.setEntry(entry, true);
    if (entry.child !== null) this.setLink(entry.child, entry);
    const window = this.#windows.get(windowOf(entry));
    if (!window) return;
    const key = entryKey(entry);
    const at = window.entries.findIndex((other) => entryKey(other) >= key);
    const found = at < 0 ? undefined : window.entries[at];
    if (found && entryKey(found) === key) window.entries[at] = entry;
    else if (at >= 0) window.entries.splice(at, 0, entry);
    else if (window.isAll) window.entries.push(entry);
  }

  remove(entry: NodeEntry): void {
    this.#pending.setEntry(entry, false);
    const key = entryKey(entry);
    const window = this.#windows.get(windowOf(entry));
    if (window) window.entries = window.entries.filter((other) => entryKey(other) !== key);
  }

  move(entry: NodeEntry, to: Partial<NodeEntry>): void {
    this.remove(entry);
    this.put({ ...entry, ...to });
  }

  /** The entry of a node in its parent; null: it has no email. */
  async linkOf(node: NodeId): Promise<NodeEntry | null> {
    const known = this.#links.get(node);
    if (known !== undefined) return known;
    const found = await this.#store.findEntryOf(node);
    this.#links.set(node, found);
    return found;
  }

  setLink(node: NodeId, entry: NodeEntry | null): void {
    this.#links.set(node, entry);
    this.#pending.setLink(node, entry);
  }

  /** Removes the nodes of a path, from its end, of which nothing is left, so that no timer is set for them. */
  removeEmpty(path: readonly NodeEntry[]): void {
    for (const entry of path.toReversed()) {
      const { child } = entry;
      if (child === null || !this.#isEmpty(child, 'ready') || !this.#isEmpty(child, 'later')) return;
      this.remove(entry);
      this.setLink(child, null);
    }
  }

  #isEmpty(node: NodeId, state: EntryState): boolean {
    const window = this.#windows.get(windowKey(node, state));
    return window?.isAll === true && window.entries.length === 0;
  }
}
