/**
 * The tree of held emails: which one may leave next, and what its leaving changes (docs/decisions/0048-pacing.md#the-tree).
 * One worker has the tree at a time. It reads what it looks at, keeps it, and writes its changes together.
 */
import {
  constraintKey,
  type HeldPosition,
  type NodeEntry,
  type NodeId,
  nodeIn,
  type PacedEmail,
  rootNode,
} from '../../core/pacing/held.ts';
import {
  allConstraints,
  type Constraint,
  constraintsOf,
  matchingRules,
  type PacedMessage,
  type PacingRule,
  type RuleSet,
} from '../../core/pacing/rule.ts';
import type { TreeStore } from '../../core/pacing/tree-store.ts';
import { PendingChanges } from './pending-changes.ts';
import { type Block, TreeConstraints } from './tree-constraints.ts';
import { TreeEntries } from './tree-entries.ts';

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

export interface TreeOptions {
  readonly store: TreeStore;
  readonly rules: RuleSet;
  now(): number;
  /** Called for each piece of work; throws to end it. */
  onStep?(): void;
}

export class PacingTree {
  readonly #options: TreeOptions;
  readonly #pending: PendingChanges;
  readonly #entries: TreeEntries;
  readonly #constraints: TreeConstraints;

  constructor(options: TreeOptions) {
    const { store, rules, now } = options;
    this.#options = options;
    this.#pending = new PendingChanges(store);
    this.#entries = new TreeEntries(store, this.#pending);
    this.#constraints = new TreeConstraints({ store, rules, now, pending: this.#pending });
  }

  /** Adds an email. */
  async insert(email: PacedEmail): Promise<void> {
    const constraints = this.#constraintsOf(email);
    const { position, emailId, isCounted, message } = email;
    let node = rootNode;
    for (const group of constraints.groups) node = await this.#enter(node, group, position);
    const all = allConstraints(constraints);
    await this.#constraints.load(all);
    this.#constraints.countWaiting(all, 1);
    this.#entries.put({
      node,
      dueAt: null,
      position,
      child: null,
      email: { emailId, isCounted, message, home: node },
      constraints: constraints.own,
    });
    await this.#pending.flushIfMany();
  }

  /** The oldest email that may leave, or when the next one may. */
  async next(): Promise<Leaving | Waiting> {
    return await this.#find(rootNode);
  }

  /** The email leaves. */
  async release({ entry, path }: Leaving): Promise<void> {
    if (!entry.email) return;
    const constraints = uniqueConstraints([
      ...path.flatMap(({ constraints }) => constraints),
      ...entry.constraints,
    ]);
    if (entry.email.isCounted) this.#constraints.spendSlots(constraints);
    this.#constraints.countWaiting(constraints, -1);
    this.#entries.remove(entry);
    this.#entries.removeEmpty(path);
    this.#pending.release(entry.position, { message: entry.email.message });
    await this.#pending.flushIfMany();
  }

  /** An email left by itself. */
  async leave(
    message: PacedMessage,
    { wasHeld, isCounted }: { readonly wasHeld: boolean; readonly isCounted: boolean },
  ): Promise<void> {
    const constraints = allConstraints(this.#constraintsOf(message));
    await this.#constraints.load(constraints);
    if (isCounted) this.#constraints.spendSlots(constraints);
    if (wasHeld) {
      this.#constraints.countWaiting(constraints, -1);
      this.#pending.forget();
    }
    await this.#pending.flushIfMany();
  }

  /** Removes an email that is not to be sent. */
  drop(position: HeldPosition): void {
    this.#pending.drop(position);
  }

  /** The rule that holds an email back the longest; null: all of its rules are open. */
  async blockerOf(email: PacedMessage): Promise<PacingRule | null> {
    return await this.#constraints.blockingRule(allConstraints(this.#constraintsOf(email)));
  }

  /** Ends the work on an entry of the inbox. @param isArrival whether it is of an email that is held */
  receive(key: string, isArrival: boolean): void {
    this.#pending.receive(key, isArrival);
  }

  setSortedTo(position: HeldPosition | '' | null): void {
    this.#pending.setSortedTo(position);
  }

  /** Writes what has changed. @throws TreeChanged, LeaseLost */
  async flush(): Promise<void> {
    await this.#pending.flush();
  }

  #constraintsOf(message: PacedMessage) {
    return constraintsOf(matchingRules(this.#options.rules, message), message);
  }

  /** The node in `parent` of what waits for `group`, with an entry that is early enough for an email at `position`. */
  async #enter(parent: NodeId, group: readonly Constraint[], position: HeldPosition): Promise<NodeId> {
    const child = nodeIn(parent, group);
    const before = await this.#entries.linkOf(child);
    if (!before) {
      this.#entries.put({ node: parent, dueAt: null, position, child, email: null, constraints: group });
      return child;
    }
    const block = await this.#constraints.blocking(group);
    const isLate = before.dueAt !== null && (!block || before.dueAt > block.at);
    const first = position < before.position ? position : before.position;
    if (isLate) this.#entries.move(before, { dueAt: null, position: first });
    else if (first !== before.position) this.#entries.move(before, { position: first });
    return child;
  }

  /** An email that waits for recipients of its own: with the others that wait for the same one. */
  async #park(entry: NodeEntry, block: Block): Promise<void> {
    const home = entry.email?.home ?? entry.node;
    const child = nodeIn(home, [block.constraint]);
    if (entry.node === child) return;
    const before = await this.#entries.linkOf(child);
    const { position } = entry;
    if (!before) {
      const constraints = [block.constraint];
      this.#entries.put({ node: home, dueAt: block.at, position, child, email: null, constraints });
    } else if (position < before.position) {
      this.#entries.move(before, { position });
    }
    this.#entries.move(entry, { node: child });
  }

  async #promoteDue(node: NodeId): Promise<void> {
    for (;;) {
      const [first] = await this.#entries.heads(node, 'later');
      if (!first || (first.dueAt ?? 0) > this.#options.now()) return;
      this.#entries.move(first, { dueAt: null });
      await this.#step();
    }
  }

  async #step(): Promise<void> {
    await this.#pending.flushIfMany();
    this.#options.onStep?.();
  }

  async #find(node: NodeId): Promise<Leaving | Waiting> {
    for (;;) {
      await this.#step();
      await this.#promoteDue(node);
      const [first, second] = await this.#entries.heads(node, 'ready');
      if (!first) {
        const [later] = await this.#entries.heads(node, 'later');
        return { at: later?.dueAt ?? null };
      }
      const block = await this.#constraints.blocking(first.constraints);
      if (block) {
        this.#constraints.awaitSlot(block.constraint);
        if (!first.email) this.#entries.move(first, { dueAt: block.at });
        else if (nodeIn(first.email.home, [block.constraint]) === node) return { at: block.at };
        else await this.#park(first, block);
        continue;
      }
      if (first.child === null) return { entry: first, path: [] };
      const inner = await this.#find(first.child);
      if (!('entry' in inner)) {
        if (inner.at !== null) this.#entries.move(first, { dueAt: inner.at });
        else {
          this.#entries.remove(first);
          this.#entries.setLink(first.child, null);
        }
        continue;
      }
      if (second && inner.entry.position > second.position) {
        this.#entries.move(first, { position: inner.entry.position });
        continue;
      }
      return { entry: inner.entry, path: [first, ...inner.path] };
    }
  }
}

/** A parked email has the constraint of its node, too. */
function uniqueConstraints(constraints: readonly Constraint[]): readonly Constraint[] {
  return [...new Map(constraints.map((one) => [constraintKey(one), one])).values()];
}
