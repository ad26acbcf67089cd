/** The table as the pacer of one workspace sees it, in memory: held emails, inbox, trees, and the state with its lease. */
import { arrivalKey, type HeldEmail, type HeldPosition } from '../../lib/core/pacing/held.ts';
import { type PacerState, unusedPacer } from '../../lib/core/pacing/pacer.ts';
import {
  allConstraints,
  type Constraint,
  constraintsOf,
  matchingRules,
  type RuleSet,
} from '../../lib/core/pacing/rule.ts';
import type { TreeChanges } from '../../lib/core/pacing/tree-store.ts';
import { type MemoryTree, newMemoryTree } from '../../lib/services/pacing/memory-store.ts';
import type { InboxEntry } from '../../lib/services/pacing/pacer-ports.ts';

export interface Released {
  readonly position: HeldPosition;
  readonly email: HeldEmail;
  /** When it left; Unix milliseconds. */
  readonly at: number;
  /** The rules by which the pacer decided. */
  readonly rules: RuleSet;
  readonly constraints: readonly Constraint[];
}

/** Functions of this file change it; each takes effect at once. */
export interface MemoryTable {
  state: PacerState;
  rules: RuleSet;
  /** Rules by their version. */
  readonly versions: Map<number, RuleSet>;
  readonly held: Map<HeldPosition, HeldEmail>;
  /** Positions of held emails in order; also of those that have left. */
  readonly heldOrder: HeldPosition[];
  readonly inbox: Map<string, InboxEntry>;
  readonly trees: Map<number, MemoryTree>;
  /** Of all trees. */
  readonly scopes: MemoryTree['scopes'];
  readonly timers: Set<number>;
  readonly released: Released[];
  readonly counts: { calls: number; writes: number };
}

export function newMemoryTable(): MemoryTable {
  return {
    state: unusedPacer,
    rules: { version: 0, spread: 0, rules: [] },
    versions: new Map(),
    held: new Map(),
    heldOrder: [],
    inbox: new Map(),
    trees: new Map(),
    scopes: new Map(),
    timers: new Set(),
    released: [],
    counts: { calls: 0, writes: 0 },
  };
}

/** The tree of a version of the rules; a new one where there is none. */
export function treeOf({ trees, scopes }: MemoryTable, version: number): MemoryTree {
  const tree = trees.get(version) ?? { ...newMemoryTree(), scopes };
  trees.set(version, tree);
  return tree;
}

export function addHeld({ held, heldOrder, inbox }: MemoryTable, email: HeldEmail): void {
  const { position } = email;
  held.set(position, email);
  heldOrder.splice(heldOrder.findLastIndex((other) => other < position) + 1, 0, position);
  const key = arrivalKey(position);
  inbox.set(key, { key, kind: 'held', position });
}

export function listHeld(
  { held, heldOrder }: MemoryTable,
  after: HeldPosition | '',
  limit: number,
): HeldEmail[] {
  const found = firstOf(heldOrder, limit, (position) => position > after && held.has(position));
  return found.flatMap((position) => held.get(position) ?? []);
}

/** Entries of one kind come in the order of their keys. */
export function listInbox({ inbox }: MemoryTable, limit: number): InboxEntry[] {
  const first = (kind: InboxEntry['kind'], most: number) =>
    firstOf(inbox.values(), most, (entry) => entry.kind === kind);
  const held = first('held', limit);
  return held.length < limit ? [...held, ...first('left', limit - held.length)] : held;
}

/** Changes the state under a lease. @returns false: the lease is lost */
export function changeState(table: MemoryTable, token: string, change: Partial<PacerState>): boolean {
  if (table.state.lease?.token !== token) return false;
  table.state = { ...table.state, ...change };
  return true;
}

/** Commits what a session changed in a tree. @returns released emails that are not held any more: nothing was committed */
export function commitChanges(
  table: MemoryTable,
  version: number,
  token: string,
  changes: TreeChanges,
  nowMs: number,
): readonly HeldPosition[] {
  const { counts, held, inbox, released, versions } = table;
  const gone = changes.released.filter((position) => !held.has(position));
  if (gone.length > 0) return gone;
  counts.writes += 1 + changes.entries.length + changes.links.length + changes.scopes.length;
  counts.writes += changes.released.length + changes.received.length + Math.min(1, changes.messages.length);
  const rules = versions.get(version) ?? table.rules;
  for (const position of changes.released) {
    const email = held.get(position);
    if (!email) continue;
    const constraints = allConstraints(constraintsOf(matchingRules(rules, email), email));
    released.push({ position, email, at: nowMs, rules, constraints });
    held.delete(position);
  }
  for (const position of changes.dropped) held.delete(position);
  for (const key of changes.received) inbox.delete(key);
  table.state = { ...table.state, held: table.state.held + changes.held };
  if (changes.sortedTo !== undefined) changeState(table, token, { sortedTo: changes.sortedTo });
  return [];
}

/** The first `most` that `keep` accepts. */
export function firstOf<T>(all: Iterable<T>, most: number, keep: (one: T) => boolean): T[] {
  const kept: T[] = [];
  for (const one of all) {
    if (kept.length === most) return kept;
    if (keep(one)) kept.push(one);
  }
  return kept;
}
