/** Threads as version 1 reads them: with their drafts, and without pages (docs/concepts/v1.md#threads). */

import { endWithin } from '../../core/emails/response-size.ts';
import type { ThreadId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { Problem } from '../../core/problems.ts';
import { type DraftThread, threadOfDrafts } from '../../core/threads/draft-threads.ts';
import { listDraftsOfThread, loadDrafts } from '../../storage/emails/drafts.ts';
import { listThreadMessages } from '../../storage/emails/emails.ts';
import { findThread } from '../../storage/threads/threads.ts';
import { type V1EmailDetails, v1EmailDetails } from './v1-emails.ts';

/**
 * A thread with its newest messages and drafts, oldest first: at most `limits.v1ThreadMessages`, within
 * `limits.pageBytes`.
 *
 * @param present presents a message; the messages are measured as presented
 * @throws Problem thread_not_found
 */
export async function getV1Thread<T>(
  workspaceId: WorkspaceId,
  id: ThreadId,
  present: (details: V1EmailDetails) => T,
): Promise<{ readonly thread: Pick<DraftThread, 'id' | 'subject' | 'createdAt'>; readonly emails: T[] }> {
  const paging = { limit: limits.v1ThreadMessages, after: null, bytesMax: limits.pageBytes };
  const [found, messages, drafts] = await Promise.all([
    findThread(workspaceId, id),
    listThreadMessages(workspaceId, id, { ...paging, order: 'newest first' }),
    listDraftsOfThread(workspaceId, id),
  ]);
  const [first, ...others] = drafts;
  const thread = found ?? (first ? threadOfDrafts([first, ...others]) : null);
  if (!thread) throw new Problem('thread_not_found', 'The thread does not exist.');
  const emails = [...(found ? messages.items : []), ...(await loadDrafts(workspaceId, drafts))];
  const details = await Promise.all(emails.map((email) => v1EmailDetails(workspaceId, email)));
  // Ids are time-ordered.
  details.sort(({ email: one }, { email: other }) => (one.head.id < other.head.id ? 1 : -1));
  const newest = details.slice(0, limits.v1ThreadMessages).map(present);
  return { thread, emails: newest.slice(0, endWithin(newest, limits.pageBytes)).reverse() };
}
