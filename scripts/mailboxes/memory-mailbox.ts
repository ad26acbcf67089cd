/** A mailbox in memory: its synchronization as the table stores it, and its mail as a provider has it. */
import type { MailboxId } from '../../lib/core/ids.ts';
import { ProviderError, type ProviderMessageRef } from '../../lib/core/mailboxes/provider.ts';
import { syncTimes } from '../../lib/core/mailboxes/schedule.ts';
import type { SyncState } from '../../lib/core/mailboxes/sync.ts';
import type { SyncPorts } from '../../lib/services/mailboxes/sync-ports.ts';
import { memoryJobStore } from '../jobs/memory-job.ts';

/** What a mailbox needs of its world. */
export interface MailboxWorld {
  now(): number;
  random(): number;
  /** Counts a call of the provider. @throws ProviderError while it fails */
  call(what: ProviderCall): void;
  /** Sends the message that synchronizes the mailbox at a time; null: at once. */
  schedule(mailboxId: MailboxId, at: number | null): void;
  /** Called at each port, for tests that kill the worker there. */
  onPort?(name: string): void;
}

export type ProviderCall = 'currentCursor' | 'changesSince' | 'listSince' | 'subscribe';

interface MailboxState {
  readonly id: MailboxId;
  state: SyncState;
  /** Mail of the provider by number: when it came. */
  readonly mail: number[];
  /** Numbers of the messages that were queued for storing, in order. */
  readonly found: string[];
  /** The index of timers. */
  readonly timers: Set<number>;
  /** What the mailbox says of its synchronization; null: it works. */
  notSynchronized: string | null;
  /** Positions before this one are out of date. */
  oldestPosition: number;
}

export interface MemoryMailbox extends MailboxState {
  readonly ports: SyncPorts;
}

/** Messages of a page. */
const pageSize = 100;
const watchMs = 7 * 86_400_000;

/** A mailbox that is connected now. @param hasPush whether its app has pushes */
export function memoryMailbox(
  id: MailboxId,
  world: MailboxWorld,
  { hasPush, backfillSince = null }: { readonly hasPush: boolean; readonly backfillSince?: number | null },
): MemoryMailbox {
  const state: MailboxState = {
    id,
    state: newState(world.now(), backfillSince),
    mail: [],
    found: [],
    timers: new Set(),
    notSynchronized: null,
    oldestPosition: 0,
  };
  const provider = memoryProvider(state, world, hasPush);
  return Object.assign(state, { ports: syncPorts(state, world, provider) });
}

/** The ports of the synchronization. */
function syncPorts(mailbox: MailboxState, world: MailboxWorld, provider: SyncPorts['provider']): SyncPorts {
  const holds = (token: string) => mailbox.state.lease?.token === token;
  const at = (name: string) => world.onPort?.(name);
  const change = (given: Partial<SyncState>) => {
    mailbox.state = { ...mailbox.state, ...given };
  };
  return {
    now: () => world.now(),
    random: () => world.random(),
    job: memoryJobStore({
      job: mailbox,
      leaseMs: syncTimes.leaseMs,
      now: () => world.now(),
      schedule: (timer) => world.schedule(mailbox.id, timer),
      async call(name, effect) {
        at(name);
        const result = await effect();
        at(`${name} done`);
        return result;
      },
    }),
    async save(token, given, found) {
      at('save');
      if (!holds(token)) return false;
      change(given);
      mailbox.found.push(...found.map((one) => one.id));
      at('saved');
      return true;
    },
    async unknownOf(found) {
      at('unknownOf');
      const known = new Set(mailbox.found);
      return found.filter((one) => !known.has(one.id));
    },
    async noteLastSync() {
      at('noteLastSync');
      mailbox.notSynchronized = null;
    },
    async noteFailing(since, reason) {
      at('noteFailing');
      mailbox.notSynchronized = `${since} ${reason}`;
    },
    report() {},
    provider,
  };
}

/** The provider of a mailbox. */
function memoryProvider(mailbox: MailboxState, world: MailboxWorld, hasPush: boolean): SyncPorts['provider'] {
  return {
    async currentCursor() {
      world.call('currentCursor');
      return String(mailbox.mail.length);
    },
    async changesSince(cursor) {
      world.call('changesSince');
      const from = Number(cursor);
      if (from < mailbox.oldestPosition) throw new ProviderError('not_found', 'The position is lost.');
      const to = Math.min(mailbox.mail.length, from + pageSize);
      return { added: refs(from, to), cursor: String(to), isLast: to === mailbox.mail.length };
    },
    async listSince(sinceMs, page) {
      world.call('listSince');
      const numbers = mailbox.mail.flatMap((receivedAt, number) => (receivedAt >= sinceMs ? [number] : []));
      const to = page === null ? numbers.length : Number(page);
      const from = Math.max(0, to - pageSize);
      const found = numbers.slice(from, to).map((number) => ({ id: String(number) }));
      return { found, nextPage: from === 0 ? null : String(from) };
    },
    async subscribe() {
      if (!hasPush) return null;
      world.call('subscribe');
      return { id: null, expiresAt: world.now() + watchMs };
    },
  };
}

function refs(from: number, to: number): ProviderMessageRef[] {
  return Array.from({ length: to - from }, (_, at) => ({ id: String(from + at) }));
}

function newState(now: number, backfillSince: number | null): SyncState {
  return {
    cursor: null,
    resync: { since: now, page: null },
    backfill: backfillSince === null ? null : { since: backfillSince, page: null },
    connectedAt: now,
    push: null,
    subscribeAfter: null,
    pushSecretHash: null,
    baseUrl: 'https://api.test',
    failures: 0,
    failingSince: null,
    wakeAt: null,
    lastSyncAt: null,
    lease: null,
    again: false,
  };
}
