/** A workspace with held emails in memory, and its pacer on virtual time. Calls take time; workers can be killed at any of them. */
import { composeId, type EmailId, type WorkspaceId } from '../../lib/core/ids.ts';
import { arrivalKey, type HeldEmail, type HeldPosition, heldPosition } from '../../lib/core/pacing/held.ts';
import { type PacerState, pacerTimes, unusedPacer } from '../../lib/core/pacing/pacer.ts';
import {
  allConstraints,
  type Constraint,
  constraintsOf,
  matchingRules,
  type RuleSet,
} from '../../lib/core/pacing/rule.ts';
import type { TreeChanges } from '../../lib/core/pacing/tree-changes.ts';
import { type MemoryTree, memoryStore, newMemoryTree } from '../../lib/services/pacing/memory-store.ts';
import { paceMail } from '../../lib/services/pacing/pace-mail.ts';
import type { InboxEntry, PacerPorts } from '../../lib/services/pacing/pacer-ports.ts';

import { type VirtualClock, virtualClock } from '../webhooks/virtual-clock.ts';

export interface Released {
  readonly position: HeldPosition;
  readonly email: HeldEmail;
  /** When it left; Unix milliseconds. */
  readonly at: number;
  /** The rules by which the pacer decided. */
  readonly rules: RuleSet;
  readonly constraints: readonly Constraint[];
}

/** What happens at a call: a worker may be killed before it or after it. */
export type Fault = 'kill before' | 'kill after' | null;

class Killed extends Error {}

export interface WorldOptions {
  readonly startMs: number;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Milliseconds that a call takes. */
  readonly callMs?: (random: number) => number;
  readonly fault?: (call: string) => Fault;
}

export interface MemoryWorld {
  readonly clock: VirtualClock;
  readonly released: readonly Released[];
  readonly held: ReadonlyMap<HeldPosition, HeldEmail>;
  /** Held emails of which the pacer does not know. */
  readonly arrived: () => number;
  readonly counts: { calls: number; sessions: number; writes: number };
  readonly tree: () => MemoryTree;
  state(): PacerState;
  rules(): RuleSet;
  setRules(rules: Omit<RuleSet, 'version'>): void;
  /** @param options.isCalled whether a pacer is called, as for each email in a deployment */
  hold(
    email: Pick<HeldEmail, 'from' | 'to'> & { readonly isCounted?: boolean },
    options?: { readonly isCalled: boolean },
  ): HeldPosition;
  /** The time as the pacer sees it. */
  now(): number;
  /** The clock of the pacer jumps, forward or back. */
  jump(ms: number): void;
  /** The sweep: calls the pacer where its timer is overdue. */
  sweep(): void;
  /** Releases an email by hand. */
  take(position: HeldPosition, isCounted: boolean): void;
  /** Whether a session runs or a message is in the queue. */
  isBusy(): boolean;
}

const workspaceId: WorkspaceId = composeId('wks', 0, new Uint8Array(10));
/** A message whose worker died comes back after the visibility timeout. */
const visibilityMs = 90_000;

/** The first `most` that `keep` accepts. */
function firstOf<T>(all: Iterable<T>, most: number, keep: (one: T) => boolean): T[] {
  const kept: T[] = [];
  for (const one of all) {
    if (kept.length === most) return kept;
    if (keep(one)) kept.push(one);
  }
  return kept;
}

export function memoryWorld({
  startMs,
  random,
  callMs = () => 5,
  fault = () => null,
}: WorldOptions): MemoryWorld {
  const clock = virtualClock(startMs);
  const held = new Map<HeldPosition, HeldEmail>();
  const heldOrder: HeldPosition[] = [];
  const inbox = new Map<string, InboxEntry>();
  const released: Released[] = [];
  const trees = new Map<number, MemoryTree>();
  const scopes: MemoryTree['scopes'] = new Map();
  const versions = new Map<number, RuleSet>();
  const wakes = new Set<number>();
  const counts = { calls: 0, sessions: 0, writes: 0 };
  let state: PacerState = unusedPacer;
  let current: RuleSet = { version: 0, spread: 0, rules: [] };
  let busy = 0;
  let serial = 0;
  let skewMs = 0;
  const now = (): number => clock.now() + skewMs;

  function treeOf(version: number): MemoryTree {
    const tree = trees.get(version) ?? { ...newMemoryTree(), scopes };
    trees.set(version, tree);
    return tree;
  }

  async function call<T>(name: string, effect: () => T): Promise<T> {
    counts.calls += 1;
    const what = fault(name);
    await clock.pause(callMs(random()));
    if (what === 'kill before') throw new Killed(name);
    const result = effect();
    if (what === 'kill after') throw new Killed(name);
    return result;
  }

  function commitHeld(version: number, token: string, changes: TreeChanges): readonly HeldPosition[] {
    const gone = changes.released.filter((position) => !held.has(position));
    if (gone.length > 0) return gone;
    counts.writes += 1 + changes.entries.length + changes.links.length + changes.scopes.length;
    counts.writes += changes.released.length + changes.received.length + Math.min(1, changes.messages.length);
    const rules = versions.get(version) ?? current;
    for (const position of changes.released) {
      const email = held.get(position);
      if (!email) continue;
      const constraints = allConstraints(constraintsOf(matchingRules(rules, email), email));
      released.push({ position, email, at: now(), rules, constraints });
      held.delete(position);
    }
    for (const position of changes.dropped) held.delete(position);
    for (const key of changes.received) inbox.delete(key);
    state = { ...state, held: state.held + changes.held };
    if (changes.sortedTo !== undefined && state.lease?.token === token) {
      state = { ...state, sortedTo: changes.sortedTo };
    }
    return [];
  }

  const ports: PacerPorts = {
    workspaceId,
    now,
    pause: clock.pause,
    findState: () => call('findState', () => state),
    acquireLease: (token) =>
      call('acquireLease', () => {
        if (state.lease && state.lease.until > now()) return null;
        counts.sessions += 1;
        counts.writes += 1;
        state = { ...state, again: false, lease: { token, until: now() + pacerTimes.leaseMs } };
        return state;
      }),
    askAgain: (token) =>
      call('askAgain', () => {
        if (state.lease?.token !== token) return false;
        state = { ...state, again: true };
        return true;
      }),
    clearAgain: (token) =>
      call('clearAgain', () => {
        if (state.lease?.token !== token) return false;
        state = { ...state, again: false };
        return true;
      }),
    releaseLease: (token, wakeAt, { isHandedOver }) =>
      call('releaseLease', () => {
        if (state.lease?.token !== token || (state.again && !isHandedOver)) return false;
        counts.writes += 1;
        const isEmpty = wakeAt === null && !isHandedOver;
        state = { ...state, lease: null, again: false, wakeAt, held: isEmpty ? 0 : state.held };
        return true;
      }),
    saveTree: (token, progress) =>
      call('saveTree', () => {
        if (state.lease?.token !== token) return false;
        state = { ...state, ...progress };
        return true;
      }),
    rules: () => call('rules', () => current),
    deletedSpaces: async () => () => false,
    store(version, token) {
      const tree = treeOf(version);
      const memory = memoryStore(tree, (changes) => commitHeld(version, token, changes));
      return {
        listEntries: (...input) =>
          call('listEntries', () => memory.listEntries(...input)).then((page) => page),
        findEntryOf: (node) => call('findEntryOf', () => memory.findEntryOf(node)).then((entry) => entry),
        findScopes: (all) => call('findScopes', () => memory.findScopes(all)).then((found) => found),
        commit: (changes) =>
          call('commit', () =>
            state.lease?.token === token ? memory.commit(changes) : Promise.resolve('lost' as const),
          ).then((outcome) => outcome),
      };
    },
    // Entries of one kind come in the order of their keys.
    listInbox: (limit) =>
      call('listInbox', () => {
        const first = (kind: InboxEntry['kind'], most: number) =>
          firstOf(inbox.values(), most, (entry) => entry.kind === kind);
        const heldFirst = first('held', limit);
        return heldFirst.length < limit
          ? [...heldFirst, ...first('left', limit - heldFirst.length)]
          : heldFirst;
      }),
    findArrivals: (positions) =>
      call('findArrivals', () => positions.map((position) => inbox.has(arrivalKey(position)))),
    findHeld: (positions) => call('findHeld', () => positions.map((position) => held.get(position) ?? null)),
    listHeld: (after, limit) =>
      call('listHeld', () => {
        const found = firstOf(heldOrder, limit, (position) => position > after && held.has(position));
        return found.flatMap((position) => held.get(position) ?? []);
      }),
    removeTree: (version) =>
      call('removeTree', () => {
        trees.delete(version);
        return true;
      }),
    send: () => call('send', () => enqueue()),
    setTimer: (at) =>
      call('setTimer', () => {
        wakes.add(at);
        // Queues and schedules delay by a time from now.
        clock.at(clock.now() + at - now(), enqueue);
      }),
    removeWake: (at) => call('removeWake', () => void wakes.delete(at)),
  };

  function enqueue(): void {
    busy += 1;
    receive(`message-${serial++}`, 20 + random() * 200);
  }

  function receive(token: string, afterMs: number): void {
    clock.at(clock.now() + afterMs, () => {
      void paceMail(ports, token).then(
        () => {
          busy -= 1;
        },
        () => receive(token, visibilityMs),
      );
    });
  }

  return {
    clock,
    released,
    held,
    arrived: () => firstOf(inbox.values(), inbox.size, ({ kind }) => kind === 'held').length,
    counts,
    tree: () => treeOf(state.treeVersion),
    state: () => state,
    rules: () => current,
    setRules(rules) {
      current = { ...rules, version: current.version + 1 };
      versions.set(current.version, current);
      enqueue();
    },
    hold({ from, to, isCounted = true }, { isCalled } = { isCalled: true }) {
      serial += 1;
      const bytes = new Uint8Array(10);
      new DataView(bytes.buffer).setUint32(0, serial);
      const id: EmailId = composeId('eml', now(), bytes);
      const position = heldPosition({ id, createdAt: now(), scheduledAt: null });
      const message = { kind: 'send-mail', v: 2, workspaceId, emailId: id, chunk: null, slot: null } as const;
      const email = {
        emailId: id,
        isCounted,
        message,
        spaceId: null,
        from,
        to,
        position,
        subject: '',
        fromName: null,
        shownTo: to,
      };
      held.set(position, email);
      const later = heldOrder.findLastIndex((other) => other < position) + 1;
      heldOrder.splice(later, 0, position);
      const key = arrivalKey(position);
      inbox.set(key, { key, kind: 'held', position });
      if (isCalled) enqueue();
      return position;
    },
    now,
    jump(ms) {
      skewMs += ms;
    },
    sweep() {
      if (state.wakeAt !== null && state.wakeAt < now()) enqueue();
    },
    take(position, isCounted) {
      const email = held.get(position);
      if (!email) return;
      held.delete(position);
      const key = `L#${serial++}`;
      inbox.set(key, { key, kind: 'left', message: email, wasHeld: true, isCounted });
      enqueue();
    },
    isBusy: () => busy > 0,
  };
}
