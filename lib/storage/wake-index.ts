/** The wake index: endpoints of all workspaces by the time of their timer, for the sweep that finds lost timers. */
import { type EndpointId, parseId, type WorkspaceId } from '../core/ids.ts';
import { wakeBound, wakeKey, wakeShards } from './keys.ts';
import { put, remove } from './table.ts';
import { listBefore, shardOf } from './time-index.ts';

/** An endpoint with a timer. */
export interface WakeEntry {
  readonly workspaceId: WorkspaceId;
  readonly endpointId: EndpointId;
  /** When the timer fires; Unix milliseconds. */
  readonly at: number;
}

const keyOf = ({ workspaceId, endpointId, at }: WakeEntry) =>
  wakeKey(shardOf(endpointId, wakeShards), at, workspaceId, endpointId);

/** Adds an entry; one that exists stays. */
export async function addWakeEntry(entry: WakeEntry): Promise<void> {
  await put({ ...keyOf(entry) });
}

/** Removes an entry; a missing one is no error. */
export async function removeWakeEntry(entry: WakeEntry): Promise<void> {
  await remove(keyOf(entry));
}

/** Entries before `atMs`, oldest first, up to `limit` of each shard. */
export async function listOverdueWakes(atMs: number, limit: number): Promise<WakeEntry[]> {
  const found = await listBefore(wakeShards, wakeBound, atMs, limit);
  return found.flatMap(([at = '', workspace = '', endpoint = '']) => {
    const workspaceId = parseId('wks', workspace);
    const endpointId = parseId('whk', endpoint);
    return workspaceId && endpointId ? [{ workspaceId, endpointId, at: Number(at) }] : [];
  });
}
