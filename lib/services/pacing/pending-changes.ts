/** Changes of the tree that are not written yet, and their writing. */

import type { HeldPosition, NodeEntry, NodeId, ScopeState } from '../../core/pacing/held.ts';
import { constraintKey, entryKey } from '../../core/pacing/held.ts';
import type { Constraint } from '../../core/pacing/rule.ts';
import type { TreeChanges, TreeStore } from '../../core/pacing/tree-store.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import { LeaseLost } from '../../core/work/job.ts';

/** Changes that are written together, at most: a transaction has 100 items ("TransactWriteItems"). */
const changesMax = 60;
const scopesMax = 90;

/** The changes were not written: the tree is to be read anew. */
export class TreeChanged extends Error {}

/** Later changes of one entry, link or scope replace earlier ones. */
export class PendingChanges {
  readonly #store: Pick<TreeStore, 'commit'>;
  #changed = newChanges();

  constructor(store: Pick<TreeStore, 'commit'>) {
    this.#store = store;
  }

  setEntry(entry: NodeEntry, isPresent: boolean): void {
    this.#changed.entries.set(`${entry.node} ${entryKey(entry)}`, { entry, isPresent });
  }

  setLink(node: NodeId, entry: NodeEntry | null): void {
    this.#changed.links.set(node, { node, entry });
  }

  setScope(constraint: Constraint, state: ScopeState): void {
    this.#changed.scopes.set(constraintKey(constraint), { constraint, state });
  }

  setSortedTo(position: HeldPosition | '' | null): void {
    this.#changed.sortedTo = position;
  }

  /** The email leaves, and the message goes on with it. */
  release(position: HeldPosition, message: OutboxMessage): void {
    this.#changed.released.push(position);
    this.#changed.messages.push(message);
    this.#changed.held -= 1;
  }

  /** An email that is not to be sent is removed. */
  drop(position: HeldPosition): void {
    this.#changed.dropped.push(position);
    this.#changed.held -= 1;
  }

  /** An email that was held has left by itself. */
  forget(): void {
    this.#changed.held -= 1;
  }

  /** An entry of the inbox is done. @param isArrival whether it is of an email that is held */
  receive(key: string, isArrival: boolean): void {
    this.#changed.received.push(key);
    if (isArrival) this.#changed.held += 1;
  }

  /** Writes what has changed. @throws TreeChanged, LeaseLost */
  async flush(): Promise<void> {
    if (this.#size() === 0 && this.#changed.sortedTo === undefined) return;
    const { entries, links, scopes, ...rest } = this.#changed;
    this.#changed = newChanges();
    const spent = [...scopes.values()];
    // Spent first: a worker that dies in between has spent too much, never too little.
    while (spent.length > scopesMax - changesMax) {
      await this.#write({ ...noChanges, scopes: spent.splice(0, scopesMax) });
    }
    await this.#write({ ...rest, entries: [...entries.values()], links: [...links.values()], scopes: spent });
  }

  /** Writes what has changed once it fills a transaction. @throws TreeChanged, LeaseLost */
  async flushIfMany(): Promise<void> {
    if (this.#size() >= changesMax) await this.flush();
  }

  #size(): number {
    const { entries, links, scopes, released, dropped, received } = this.#changed;
    return entries.size + links.size + scopes.size + released.length + dropped.length + received.length;
  }

  async #write(changes: TreeChanges): Promise<void> {
    const outcome = await this.#store.commit(changes);
    if (outcome === 'done') return;
    if (outcome === 'lost') throw new LeaseLost();
    const gone = new Set(outcome);
    await this.#store.commit({
      ...noChanges,
      entries: changes.entries.filter(({ entry }) => entry.email && gone.has(entry.position)),
    });
    throw new TreeChanged();
  }
}

const noChanges: TreeChanges = {
  entries: [],
  links: [],
  scopes: [],
  released: [],
  dropped: [],
  messages: [],
  received: [],
  held: 0,
};

function newChanges() {
  return {
    entries: new Map<string, TreeChanges['entries'][number]>(),
    links: new Map<NodeId, TreeChanges['links'][number]>(),
    scopes: new Map<string, TreeChanges['scopes'][number]>(),
    released: [] as HeldPosition[],
    dropped: [] as HeldPosition[],
    messages: [] as OutboxMessage[],
    received: [] as string[],
    held: 0,
    sortedTo: undefined as HeldPosition | '' | null | undefined,
  };
}
