/** Labels, read state and claim of a thread: each change moves the thread's entries in the lists of such threads. */
import type { WorkspaceId } from '../../core/ids.ts';
import { listsWithEntries, type Marks, type Thread } from '../../core/threads/thread.ts';
import * as keys from '../table/keys.ts';
import { commitIfUnchanged, type Write } from '../table/transactions.ts';
import { activityItems, changedThread, leaveList, listItems } from './threads.ts';

/**
 * Changes a thread; false where it changed meanwhile. A thread that leaves a list has at most 20 entries to remove: the caller
 * removes at most `labelsRemovedAtOnce` labels at a time.
 */
export async function changeMarks(workspaceId: WorkspaceId, before: Thread, marks: Marks): Promise<boolean> {
  const after: Thread = { ...before, ...marks, version: before.version + 1 };
  const [left, entered] = [listsWithEntries(before), listsWithEntries(after)];
  const added = entered.filter(
    (list) => !left.includes(list) || (list === 'claimed' && isOtherClaim(before, after)),
  );
  const removed = left.filter((list) => !entered.includes(list));
  const at = before.activity[0] ?? before.lastMessageAt;
  const writes: Write[] = [
    changedThread(workspaceId, before, after),
    ...listItems(workspaceId, after, added, at),
    ...(before.unread === after.unread ? [] : readStateWrites(workspaceId, before, after, at)),
    ...removed.flatMap((list) => leaveList(keys.activityOfList(workspaceId, list), before)),
  ];
  return await commitIfUnchanged(workspaceId, writes);
}

/**
 * Moves the places of a thread between the lists of read and unread threads. One that becomes unread moves with its newest place:
 * the others are where a listing that began before finds them.
 */
function readStateWrites(workspaceId: WorkspaceId, before: Thread, after: Thread, at: number): Write[] {
  const places = after.unread ? [at] : before.activity;
  return [
    ...places.flatMap((place) => activityItems(workspaceId, { ...after, otherMailboxes: [] }, place)),
    ...leaveList(before.unread ? keys.unreadActivity(workspaceId) : keys.activity(workspaceId), {
      ...before,
      activity: places,
    }),
  ];
}

/** A renewed claim expires later, and so do its entries. */
function isOtherClaim(before: Thread, after: Thread): boolean {
  return before.claim?.expiresAt !== after.claim?.expiresAt;
}

/** Labels that one transaction of 100 writes can remove from a thread, beside what it adds. */
export function labelsRemovedAtOnce({ activity }: Thread): number {
  return Math.max(1, Math.floor(30 / Math.max(1, activity.length)));
}
