/** A workspace with held emails in memory, and its pacer on virtual time. Calls take time; workers can be killed at any of them. */
import { composeId, type EmailId, type WorkspaceId } from '../../lib/core/ids.ts';
import { type HeldEmail, type HeldPosition, heldPosition } from '../../lib/core/pacing/held.ts';
import type { PacerState } from '../../lib/core/pacing/pacer.ts';
import type { RuleSet } from '../../lib/core/pacing/rule.ts';
import type { JobCall } from '../../lib/core/work/job.ts';
import type { MemoryTree } from '../../lib/services/pacing/memory-store.ts';
import { paceMail } from '../../lib/services/pacing/pace-mail.ts';
import type { Call } from '../jobs/memory-job.ts';
import { type VirtualClock, virtualClock } from '../webhooks/virtual-clock.ts';
import { memoryPorts } from './memory-ports.ts';
import { addHeld, firstOf, newMemoryTable, type Released, treeOf } from './memory-table.ts';

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
  readonly counts: { calls: number; writes: number };
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

export function memoryWorld(options: WorldOptions): MemoryWorld {
  const { startMs, random } = options;
  const clock = virtualClock(startMs);
  const table = newMemoryTable();
  let busy = 0;
  let serial = 0;
  let skewMs = 0;
  const now = (): number => clock.now() + skewMs;

  const ports = memoryPorts({
    table,
    call: unreliableCall(options, clock, table.counts),
    now,
    pause: clock.pause,
    // Queues and schedules delay by a time from now.
    schedule: (timer) => clock.at(clock.now() + timer - now(), () => enqueue(timer)),
  });

  function enqueue(timer: number | null = null): void {
    busy += 1;
    receive({ token: `message-${serial++}`, timer }, 20 + random() * 200);
  }

  function receive(message: JobCall, afterMs: number): void {
    clock.at(clock.now() + afterMs, () => {
      void paceMail(ports, message).then(
        () => {
          busy -= 1;
        },
        () => receive(message, visibilityMs),
      );
    });
  }

  return {
    clock,
    released: table.released,
    held: table.held,
    arrived: () => firstOf(table.inbox.values(), table.inbox.size, ({ kind }) => kind === 'held').length,
    counts: table.counts,
    tree: () => treeOf(table, table.state.treeVersion),
    state: () => table.state,
    rules: () => table.rules,
    setRules(rules) {
      table.rules = { ...rules, version: table.rules.version + 1 };
      table.versions.set(table.rules.version, table.rules);
      enqueue();
    },
    hold(email, { isCalled } = { isCalled: true }) {
      serial += 1;
      const held = heldEmail(serial, now(), email);
      addHeld(table, held);
      if (isCalled) enqueue();
      return held.position;
    },
    now,
    jump(ms) {
      skewMs += ms;
    },
    sweep() {
      const { wakeAt } = table.state;
      if (wakeAt !== null && wakeAt < now()) enqueue(wakeAt);
    },
    take(position, isCounted) {
      const email = table.held.get(position);
      if (!email) return;
      table.held.delete(position);
      const key = `L#${serial++}`;
      table.inbox.set(key, { key, kind: 'left', message: email, wasHeld: true, isCounted });
      enqueue();
    },
    isBusy: () => busy > 0,
  };
}

/** Calls that take time, at which workers may be killed. */
function unreliableCall(
  { random, callMs = () => 5, fault = () => null }: WorldOptions,
  clock: Pick<VirtualClock, 'pause'>,
  counts: { calls: number },
): Call {
  return async (name, effect) => {
    counts.calls += 1;
    const what = fault(name);
    await clock.pause(callMs(random()));
    if (what === 'kill before') throw new Killed(name);
    const result = effect();
    if (what === 'kill after') throw new Killed(name);
    return result;
  };
}

/** The held email with a number. */
function heldEmail(
  serial: number,
  createdAt: number,
  { from, to, isCounted = true }: Parameters<MemoryWorld['hold']>[0],
): HeldEmail {
  const bytes = new Uint8Array(10);
  new DataView(bytes.buffer).setUint32(0, serial);
  const id: EmailId = composeId('eml', createdAt, bytes);
  return {
    emailId: id,
    isCounted,
    message: { kind: 'send-mail', v: 1, workspaceId, emailId: id, chunk: null, slot: null },
    spaceId: null,
    from,
    to,
    position: heldPosition({ id, createdAt, scheduledAt: null }),
    subject: '',
    fromName: null,
    shownTo: to,
  };
}
