/**
 * The tree of held emails: which one may leave next, and what its leaving changes (docs/decisions/0048-pacing.md#the-tree).
 * One worker has the tree at a time. It reads what it looks at, keeps it, and writes its changes together.
 */
import {
  constraintKey,
  entryKey,
  type HeldPosition,
  type NodeEntry,
  type NodeId,
  nodeIn,
  type PacedEmail,
  rootNode,
  type ScopeState,
  unusedScope,
} from '../../core/pacing/held.ts';
import { nextClosing, nextOpening, type Schedule } from '../../core/pacing/hours.ts';
import {
  allConstraints,
  type Constraint,
  constraintsOf,
  matchingRules,
  type PacedMessage,
  type PacingRule,
  type RuleSet,
} from '../../core/pacing/rule.ts';
import { afterHandOff, openAt, type Pace, slotsUnder } from '../../core/pacing/slots.ts';
import type { TreeChanges } from '../../core/pacing/tree-changes.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import type { EntryState, TreeStore } from './tree-store.ts';

/** An email that may leave now. */
export interface Leaving {
  readonly entry: NodeEntry;
  /** The entries of the nodes that it is in, from the root. */
  readonly path: readonly NodeEntry[];
}

/** No email may leave before `at`; null: none waits. */
export interface Waiting {
  readonly at: number | null;
}

/** The changes were not written: the tree is to be read anew. */
export class TreeChanged extends Error {
  readonly isLeaseLost: boolean;
  constructor(isLeaseLost: boolean) {
    super('the tree was changed by somebody else');
    this.name = 'TreeChanged';
    this.isLeaseLost = isLeaseLost;
  }
}

export interface PacingTree {
  /** Adds an email. */
  insert(email: PacedEmail): Promise<void>;
  /** The oldest email that may leave, or when the next one may. */
  next(): Promise<Leaving | Waiting>;
  /** The email leaves. */
  release(leaving: Leaving): Promise<void>;
  /** An email left by itself. */
  leave(
    message: PacedMessage,
    how: { readonly wasHeld: boolean; readonly isCounted: boolean },
  ): Promise<void>;
  /** Removes an email that is not to be sent. */
  drop(position: HeldPosition): void;
  /** The rule that holds an email back the longest; null: all of its rules are open. */
  blockerOf(email: PacedMessage): Promise<PacingRule | null>;
  /** Ends the work on an entry of the inbox. @param isArrival whether it is of an email that is held */
  receive(key: string, isArrival: boolean): void;
  setSortedTo(position: HeldPosition | '' | null): void;
  /** Writes what has changed. @throws TreeChanged */
  flush(): Promise<void>;
}

export interface TreeOptions {
  readonly store: TreeStore;
  readonly rules: RuleSet;
  now(): number;
  /** Called for each piece of work; throws to end it. */
  onStep?(): void;
}

/** Changes that are written together, at most: a transaction has 100 items ("TransactWriteItems"). */
const changesMax = 60;
const scopesMax = 90;
const pageSize = 50;

interface Window {
  entries: NodeEntry[];
  isAll: boolean;
}

export function pacingTree({ store, rules, now, onStep }: TreeOptions): PacingTree {
  const ruleOf = new Map(rules.rules.map((rule) => [rule.id, rule]));
  const windows = new Map<string, Window>();
  const links = new Map<NodeId, NodeEntry | null>();
  const scopes = new Map<string, ScopeState>();
  const hours = new Map<Schedule, { from: number; until: number; opensAt: number }>();
  let changed = newChanges();

  // Writing

  function count(): number {
    const { entries, links, scopes, released, dropped, received } = changed;
    return entries.size + links.size + scopes.size + released.length + dropped.length + received.length;
  }

  async function flush(): Promise<void> {
    const { entries, links, scopes, ...rest } = changed;
    if (count() === 0 && rest.sortedTo === undefined) return;
    changed = newChanges();
    const spent = [...scopes.values()];
    // Spent first: a worker that dies in between has spent too much, never too little.
    while (spent.length > scopesMax - changesMax) {
      await write({ ...noChanges, scopes: spent.splice(0, scopesMax) });
    }
    await write({ ...rest, entries: [...entries.values()], links: [...links.values()], scopes: spent });
  }

  async function write(changes: TreeChanges): Promise<void> {
    const outcome = await store.commit(changes);
    if (outcome === 'done') return;
    if (outcome !== 'lost') {
      const gone = new Set(outcome);
      await store.commit({
        ...noChanges,
        entries: changes.entries.filter(({ entry }) => entry.email && gone.has(entry.position)),
      });
    }
    throw new TreeChanged(outcome === 'lost');
  }

  async function flushIfMany(): Promise<void> {
    if (count() >= changesMax) await flush();
  }

  // Entries

  const windowKey = (node: NodeId, state: EntryState): string => `${node} ${state}`;
  const stateOf = ({ dueAt }: NodeEntry): EntryState => (dueAt === null ? 'ready' : 'later');

  async function heads(node: NodeId, state: EntryState): Promise<readonly NodeEntry[]> {
    const key = windowKey(node, state);
    const window = windows.get(key);
    if (window && (window.isAll || window.entries.length > 1)) return window.entries;
    await flush();
    const { entries, isAll } = await store.listEntries(node, state, pageSize);
    windows.set(key, { entries: [...entries], isAll });
    return entries;
  }

  function put(entry: NodeEntry): void {
    changed.entries.set(`${entry.node} ${entryKey(entry)}`, { entry, isPresent: true });
    if (entry.child !== null) link(entry.child, entry);
    const window = windows.get(windowKey(entry.node, stateOf(entry)));
    if (!window) return;
    const key = entryKey(entry);
    const at = window.entries.findIndex((other) => entryKey(other) >= key);
    const found = at < 0 ? undefined : window.entries[at];
    if (found && entryKey(found) === key) window.entries[at] = entry;
    else if (at >= 0) window.entries.splice(at, 0, entry);
    else if (window.isAll) window.entries.push(entry);
  }

  function remove(entry: NodeEntry): void {
    const key = entryKey(entry);
    changed.entries.set(`${entry.node} ${key}`, { entry, isPresent: false });
    const window = windows.get(windowKey(entry.node, stateOf(entry)));
    if (window) window.entries = window.entries.filter((other) => entryKey(other) !== key);
  }

  function link(node: NodeId, entry: NodeEntry | null): void {
    links.set(node, entry);
    changed.links.set(node, { node, entry });
  }

  async function linkOf(node: NodeId): Promise<NodeEntry | null> {
    const known = links.get(node);
    if (known !== undefined) return known;
    const found = await store.findEntryOf(node);
    links.set(node, found);
    return found;
  }

  function move(entry: NodeEntry, to: Partial<NodeEntry>): void {
    remove(entry);
    put({ ...entry, ...to });
  }

  // Constraints

  async function load(constraints: readonly Constraint[]): Promise<void> {
    const missing = constraints.filter(
      (one) => !scopes.has(constraintKey(one)) && ruleOf.get(one.ruleId)?.kind === 'limit',
    );
    if (missing.length === 0) return;
    const found = await store.findScopes(missing);
    missing.forEach((constraint, at) => {
      const state = found[at] ?? unusedScope;
      // Those of another version waited in another tree.
      const isCurrent = state.treeVersion === rules.version;
      scopes.set(
        constraintKey(constraint),
        isCurrent ? state : { ...state, waiting: 0, treeVersion: rules.version },
      );
    });
  }

  function change(constraint: Constraint, to: Partial<ScopeState>): void {
    const key = constraintKey(constraint);
    const state = { ...(scopes.get(key) ?? unusedScope), ...to };
    scopes.set(key, state);
    changed.scopes.set(key, { constraint, state });
  }

  function paceOf({ ruleId, value }: Constraint): Pace | null {
    const rule = ruleOf.get(ruleId);
    if (rule?.kind !== 'limit') return null;
    const { amount, perSeconds } = rule.limit;
    return { amount, perSeconds, spread: rules.spread, seed: `${ruleId} ${value}` };
  }

  function opening(schedule: Schedule): number {
    const known = hours.get(schedule);
    if (known && known.from <= now() && now() < known.until) return Math.max(now(), known.opensAt);
    const opensAt = nextOpening(schedule, now());
    const until = opensAt > now() ? opensAt : nextClosing(schedule, now());
    hours.set(schedule, { from: now(), until, opensAt });
    return opensAt;
  }

  function timeOf(constraint: Constraint): number {
    const rule = ruleOf.get(constraint.ruleId);
    if (rule?.kind === 'hours') return opening(rule.schedule);
    const pace = paceOf(constraint);
    return pace ? openAt(scopes.get(constraintKey(constraint))?.slots ?? null, pace, now()) : now();
  }

  /** The constraint that opens last, with its time; null: all are open. */
  async function blocking(
    constraints: readonly Constraint[],
  ): Promise<{ readonly constraint: Constraint; readonly at: number } | null> {
    await load(constraints);
    let last: { constraint: Constraint; at: number } | null = null;
    for (const constraint of constraints) {
      const at = timeOf(constraint);
      if (at > now() && at > (last?.at ?? 0)) last = { constraint, at };
    }
    return last;
  }

  /** Somebody waits for the next slot of a limit. */
  function awaitSlot(constraint: Constraint): void {
    const pace = paceOf(constraint);
    const state = scopes.get(constraintKey(constraint));
    if (!pace || !state?.slots || state.slots.isAwaited) return;
    change(constraint, { slots: { ...slotsUnder(state.slots, pace, now()), isAwaited: true } });
  }

  function limitsOf(constraints: readonly Constraint[]): readonly Constraint[] {
    return constraints.filter((constraint) => paceOf(constraint) !== null);
  }

  function countWaiting(constraints: readonly Constraint[], by: number): void {
    for (const constraint of limitsOf(constraints)) {
      const { waiting } = scopes.get(constraintKey(constraint)) ?? unusedScope;
      change(constraint, { waiting: Math.max(0, waiting + by) });
    }
  }

  function spendSlots(constraints: readonly Constraint[]): void {
    for (const constraint of constraints) {
      const pace = paceOf(constraint);
      if (!pace) continue;
      const { slots } = scopes.get(constraintKey(constraint)) ?? unusedScope;
      change(constraint, { slots: afterHandOff(slots, pace, now()) });
    }
  }

  // The tree

  async function insert(email: PacedEmail): Promise<void> {
    const constraints = constraintsOf(matchingRules(rules, email), email);
    const { position, emailId, isCounted, message } = email;
    let node = rootNode;
    for (const group of constraints.groups) {
      const child = nodeIn(node, group);
      const before = await linkOf(child);
      if (!before) {
        put({ node, dueAt: null, position, child, email: null, constraints: group });
      } else {
        const block = await blocking(group);
        const isLate = before.dueAt !== null && (!block || before.dueAt > block.at);
        const first = position < before.position ? position : before.position;
        if (isLate) move(before, { dueAt: null, position: first });
        else if (first !== before.position) move(before, { position: first });
      }
      node = child;
    }
    const all = allConstraints(constraints);
    await load(all);
    countWaiting(all, 1);
    put({
      node,
      dueAt: null,
      position,
      child: null,
      email: { emailId, isCounted, message, home: node },
      constraints: constraints.own,
    });
    await flushIfMany();
  }

  /** An email that waits for recipients of its own: with the others that wait for the same one. */
  async function park(entry: NodeEntry, block: { constraint: Constraint; at: number }): Promise<void> {
    const home = entry.email?.home ?? entry.node;
    const child = nodeIn(home, [block.constraint]);
    if (entry.node === child) return;
    const before = await linkOf(child);
    if (!before) {
      const { position } = entry;
      put({ node: home, dueAt: block.at, position, child, email: null, constraints: [block.constraint] });
    } else if (entry.position < before.position) {
      move(before, { position: entry.position });
    }
    move(entry, { node: child });
  }

  /** Removes nodes of which nothing is left, so that no timer is set for them. */
  function removeEmpty(path: readonly NodeEntry[]): void {
    const isEmpty = (node: NodeId, state: EntryState): boolean => {
      const window = windows.get(windowKey(node, state));
      return window?.isAll === true && window.entries.length === 0;
    };
    for (const entry of path.toReversed()) {
      const { child } = entry;
      if (child === null || !isEmpty(child, 'ready') || !isEmpty(child, 'later')) return;
      remove(entry);
      link(child, null);
    }
  }

  async function promoteDue(node: NodeId): Promise<void> {
    for (;;) {
      const [first] = await heads(node, 'later');
      if (!first || (first.dueAt ?? 0) > now()) return;
      move(first, { dueAt: null });
      await step();
    }
  }

  async function step(): Promise<void> {
    await flushIfMany();
    onStep?.();
  }

  async function find(node: NodeId): Promise<Leaving | Waiting> {
    for (;;) {
      await step();
      await promoteDue(node);
      const [first, second] = await heads(node, 'ready');
      if (!first) {
        const [later] = await heads(node, 'later');
        return { at: later?.dueAt ?? null };
      }
      const block = await blocking(first.constraints);
      if (block) {
        awaitSlot(block.constraint);
        if (first.email) {
          if (nodeIn(first.email.home, [block.constraint]) === node) return { at: block.at };
          await park(first, block);
        } else {
          move(first, { dueAt: block.at });
        }
        continue;
      }
      if (first.child === null) return { entry: first, path: [] };
      const inner = await find(first.child);
      if (!('entry' in inner)) {
        if (inner.at === null) {
          remove(first);
          link(first.child, null);
        } else {
          move(first, { dueAt: inner.at });
        }
        continue;
      }
      if (second && inner.entry.position > second.position) {
        move(first, { position: inner.entry.position });
        continue;
      }
      return { entry: inner.entry, path: [first, ...inner.path] };
    }
  }

  return {
    insert,
    next: () => find(rootNode),
    async release({ entry, path }) {
      if (!entry.email) return;
      const constraints = uniqueConstraints([
        ...path.flatMap(({ constraints }) => constraints),
        ...entry.constraints,
      ]);
      if (entry.email.isCounted) spendSlots(constraints);
      countWaiting(constraints, -1);
      remove(entry);
      removeEmpty(path);
      changed.released.push(entry.position);
      changed.held -= 1;
      changed.messages.push({ message: entry.email.message });
      await flushIfMany();
    },
    async leave(message, { wasHeld, isCounted }) {
      const constraints = allConstraints(constraintsOf(matchingRules(rules, message), message));
      await load(constraints);
      if (isCounted) spendSlots(constraints);
      if (wasHeld) {
        countWaiting(constraints, -1);
        changed.held -= 1;
      }
      await flushIfMany();
    },
    drop(position) {
      changed.dropped.push(position);
      changed.held -= 1;
    },
    async blockerOf(email) {
      const block = await blocking(allConstraints(constraintsOf(matchingRules(rules, email), email)));
      return (block && ruleOf.get(block.constraint.ruleId)) ?? null;
    },
    receive(key, isArrival) {
      changed.received.push(key);
      if (isArrival) changed.held += 1;
    },
    setSortedTo(position) {
      changed.sortedTo = position;
    },
    flush,
  };
}

/** A parked email has the constraint of its node, too. */
function uniqueConstraints(constraints: readonly Constraint[]): readonly Constraint[] {
  return [...new Map(constraints.map((one) => [constraintKey(one), one])).values()];
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
