/**
 * The timers of webhook endpoints: a message that is due at a time, in the index of what has a timer, of all workspaces, by its time.
 * The index is for the sweep that finds lost timers. An entry is its key (the time, the workspace and the id), and carries the message.
 */
import { type EndpointId, parseId, type WorkspaceId } from '../core/ids.ts';
import type { QueueMessage } from '../core/queue-messages.ts';
import * as keys from './keys.ts';
import { put, remove } from './table.ts';
import { listBefore, shardOf } from './time-index.ts';
import { commitIfUnchanged, createdOnce } from './transactions.ts';

/** A webhook endpoint with a timer. `at` is when it fires; Unix milliseconds. */
export interface EndpointWake {
  readonly workspaceId: WorkspaceId;
  readonly endpointId: EndpointId;
  readonly at: number;
}

const keyOf = ({ workspaceId, endpointId, at }: EndpointWake): keys.Key =>
  keys.wakeKey(shardOf(endpointId, keys.wakeShards), at, workspaceId, endpointId);

export const endpointWakes = {
  /** Adds an entry with the message that is sent then, in one write. Nothing where the timer is set. */
  async setTimer(entry: EndpointWake, message: QueueMessage): Promise<void> {
    const wake = { as: 'wake', put: { ...keyOf(entry) }, ...createdOnce };
    await commitIfUnchanged(entry.workspaceId, [wake], [{ message, dueAt: entry.at }]);
  },
  /** Adds an entry without a message, for the sweep; one that exists stays. */
  add: (entry: EndpointWake): Promise<void> => put({ ...keyOf(entry) }),
  /** Removes an entry; a missing one is no error. */
  remove: (entry: EndpointWake): Promise<void> => remove(keyOf(entry)),
  /** Entries before `atMs`, oldest first, up to `limit` of each shard. */
  async listOverdue(atMs: number, limit: number): Promise<EndpointWake[]> {
    const found = await listBefore(keys.wakeShards, keys.wakeBound, atMs, limit);
    return found.flatMap(({ sk }) => {
      const [at = '', workspace = '', id = ''] = sk.split('#');
      const workspaceId = parseId('wks', workspace);
      const endpointId = parseId('whk', id);
      return workspaceId && endpointId ? [{ workspaceId, endpointId, at: Number(at) }] : [];
    });
  },
};
