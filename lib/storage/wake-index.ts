/**
 * The timers: a message that is due at a time, in the index of what has a timer, of all workspaces, by its time. The index is for the sweeps
 * that find lost timers. An entry is its key (the time, the workspace and the id), and carries the message.
 */
import { type MailboxId, parseId, type WorkspaceId } from '../core/ids.ts';
import type { QueueMessage } from '../core/queue-messages.ts';
import * as keys from './keys.ts';
import { put, remove } from './table.ts';
import { listBefore, shardOf } from './time-index.ts';
import { commitIfUnchanged, createdOnce } from './transactions.ts';

/** What has a timer. `at` is when it fires; Unix milliseconds. */
interface Timed {
  readonly workspaceId: WorkspaceId;
  readonly at: number;
}

interface WakeIndex<E extends Timed> {
  /** Adds an entry with the message that is sent then, in one write. Nothing where the timer is set. */
  setTimer(entry: E, message: QueueMessage): Promise<void>;
  /** Adds an entry without a message, for the sweep; one that exists stays. */
  add(entry: E): Promise<void>;
  /** Removes an entry; a missing one is no error. */
  remove(entry: E): Promise<void>;
  /** Entries before `atMs`, oldest first, up to `limit` of each shard. */
  listOverdue(atMs: number, limit: number): Promise<E[]>;
}

interface Layout<E extends Timed> {
  readonly shards: number;
  /** Sorts after every entry of the shard before `atMs`. */
  bound(shard: number, atMs: number): keys.Key;
  /** Decides the shard. */
  idOf(entry: E): string;
  key(shard: number, entry: E): keys.Key;
  /** The entry with an id of its own; null where it is none. */
  read(timed: Timed, id: string): E | null;
}

function wakeIndex<E extends Timed>({ shards, bound, idOf, key, read }: Layout<E>): WakeIndex<E> {
  const keyOf = (entry: E) => key(shardOf(idOf(entry), shards), entry);
  return {
    async setTimer(entry, message) {
      const wake = { as: 'wake', put: { ...keyOf(entry) }, ...createdOnce };
      await commitIfUnchanged(entry.workspaceId, [wake], [{ message, dueAt: entry.at }]);
    },
    add: (entry) => put({ ...keyOf(entry) }),
    remove: (entry) => remove(keyOf(entry)),
    async listOverdue(atMs, limit) {
      const found = await listBefore(shards, bound, atMs, limit);
      return found.flatMap(([at = '', workspace = '', id = '']) => {
        const workspaceId = parseId('wks', workspace);
        return (workspaceId && read({ workspaceId, at: Number(at) }, id)) ?? [];
      });
    },
  };
}

/** A workspace whose pacer has a timer. */
export type PacerWake = Timed;

export const pacerWakes = wakeIndex<PacerWake>({
  shards: keys.pacerWakeShards,
  bound: keys.pacerWakeBound,
  idOf: ({ workspaceId }) => workspaceId,
  key: (shard, { workspaceId, at }) => keys.pacerWakeKey(shard, at, workspaceId),
  read: (timed) => timed,
});

/** A mailbox whose synchronization has a timer. */
export interface MailboxWake extends Timed {
  readonly mailboxId: MailboxId;
}

export const mailboxWakes = wakeIndex<MailboxWake>({
  shards: keys.mailboxWakeShards,
  bound: keys.mailboxWakeBound,
  idOf: ({ mailboxId }) => mailboxId,
  key: (shard, { workspaceId, mailboxId, at }) => keys.mailboxWakeKey(shard, at, workspaceId, mailboxId),
  read(timed, id) {
    const mailboxId = parseId('mbx', id);
    return mailboxId && { ...timed, mailboxId };
  },
});
