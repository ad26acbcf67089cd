/** Marks every thread of a workspace as read: the previous release lists no others (docs/releases.md). */
import { now } from '../../adapters/clock.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { ActivityPosition } from '../../core/threads/thread.ts';
import { allDone } from '../../core/work/all-done.ts';
import { listThreads } from '../../storage/threads/thread-lists.ts';
import { updateThread } from './thread-marks.ts';

const atOnce = 25;

/** @returns how many were unread */
export async function readAllThreads(workspaceId: WorkspaceId): Promise<number> {
  let count = 0;
  let after: ActivityPosition | null = null;
  do {
    const paging = { limit: atOnce, after, now: now() };
    const { items, next } = await listThreads(workspaceId, { read: false }, paging);
    await allDone(items.map(({ id }) => updateThread(workspaceId, id, { read: true })));
    count += items.length;
    after = next;
  } while (after !== null);
  return count;
}
