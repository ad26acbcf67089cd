/** Removal of threads (docs/decisions/0047-teardown-of-spaces.md). */
import { emailThatBegan, type ThreadId, type WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import type { TeardownScope } from '../../core/workspaces/teardown.ts';
import { id as idField } from '../table/codec.ts';
import * as keys from '../table/keys.ts';
import { listEntries } from '../table/paging.ts';
import { getMany } from '../table/reads.ts';
import { queryAll, removeAll } from '../table/table.ts';
import { activityEntry } from '../threads/thread-lists.ts';
import { findStoredThread, otherItemsOf } from '../threads/threads.ts';
import { removeUncommittedParts } from './teardown-emails.ts';

/** An activity entry, which leads to its thread. */
export interface ThreadEntry {
  readonly threadId: ThreadId;
  /** The sort key of the entry. */
  readonly position: string;
}

const unreadPrefix = 'unread ';

const emailIdField = idField('eml');

/** A page of the activity entries of a space, also of a deleted one, or of the workspace. A thread may have several. */
export async function listThreadEntries(
  workspaceId: WorkspaceId,
  scope: TeardownScope,
  paging: Paging,
): Promise<Page<ThreadEntry>> {
  const list = async (of: { readonly pk: string; readonly index?: 'GSI1' }, after: string | null) => {
    const page = await listEntries({ ...of, order: 'oldest first', limit: paging.limit, after });
    const items = page.items.map(({ sk }) => ({ threadId: activityEntry(sk).id, position: sk }));
    return { items, next: page.next };
  };
  if (scope !== 'workspace') {
    return await list({ pk: keys.activityOfSpace(workspaceId, scope), index: 'GSI1' }, paging.after);
  }
  const { after } = paging;
  // Those of unread threads follow: their positions have a prefix.
  const isUnread = after?.startsWith(unreadPrefix);
  const page = isUnread
    ? await list({ pk: keys.unreadActivity(workspaceId) }, after?.slice(unreadPrefix.length) || null)
    : await list({ pk: keys.activity(workspaceId) }, after);
  if (page.next !== null) return { ...page, next: isUnread ? `${unreadPrefix}${page.next}` : page.next };
  return { ...page, next: isUnread ? null : unreadPrefix };
}

/**
 * Removes a thread with its entries under subjects and mailboxes, and the activity entry that led to it, last. Idempotent.
 * Its emails are removed by themselves, except what was put ahead of a commit that has not followed.
 */
export async function removeThread(
  workspaceId: WorkspaceId,
  { threadId, position }: ThreadEntry,
): Promise<void> {
  const thread = await findStoredThread(workspaceId, threadId);
  if (thread) {
    await removeAll(otherItemsOf(workspaceId, thread));
    await removeAll([keys.threadKey(workspaceId, threadId)]);
  } else {
    await removeUncommitted(workspaceId, threadId);
  }
  const partitions = [keys.activity(workspaceId), keys.unreadActivity(workspaceId)];
  await removeAll(partitions.map((pk) => ({ pk, sk: position })));
}

/** Removes emails without a head: their function has died before it created them with their thread. */
async function removeUncommitted(workspaceId: WorkspaceId, threadId: ThreadId): Promise<void> {
  const entries = await queryAll(keys.emailsOfThread(workspaceId, threadId));
  const ids = [...new Set([emailThatBegan(threadId), ...entries.map(({ sk }) => emailIdField.read(sk))])];
  const heads = await getMany(ids.map((id) => keys.emailKey(workspaceId, id)));
  for (const id of ids.filter((_, at) => heads[at] === null)) {
    await removeUncommittedParts(workspaceId, { id });
    await removeAll([keys.emailOfThreadKey(workspaceId, threadId, id)]);
  }
}
