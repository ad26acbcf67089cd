/** A thread as the API reads it (docs/concepts/threads.md). */
import { endWithin } from '../../core/emails/response-size.ts';
import type { EmailId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Page, Paging } from '../../core/page.ts';
import { Problem } from '../../core/problems.ts';
import type { Thread } from '../../core/threads/thread.ts';
import { findEmail } from '../../storage/emails/email-heads.ts';
import { listThreadMessages } from '../../storage/emails/emails.ts';
import { type EmailDetails, emailDetails } from './email-details.ts';
import { getThread } from './get-thread.ts';

/**
 * A thread with a page of its messages, oldest first. The page ends early at `limits.pageBytes`.
 *
 * @param paging.after the email id to continue after
 * @param present presents a message; the page is measured as presented
 * @throws Problem thread_not_found, invalid_cursor (an email of no or of another thread)
 */
export async function getThreadWithMessages<T>(
  workspaceId: WorkspaceId,
  id: ThreadId,
  paging: Paging<EmailId>,
  present: (details: EmailDetails) => T,
): Promise<{ readonly thread: Thread; readonly messages: Page<T> }> {
  const { after } = paging;
  const [thread, page, last] = await Promise.all([
    getThread(workspaceId, id),
    listThreadMessages(workspaceId, id, { ...paging, order: 'oldest first', bytesMax: limits.pageBytes }),
    after && findEmail(workspaceId, after),
  ]);
  if (after && last?.threadId !== thread.id) {
    throw new Problem('invalid_cursor', 'message_cursor is not an email of this thread.');
  }
  const details = await Promise.all(
    page.items.map((email) => emailDetails(workspaceId, email, { withText: false })),
  );
  const items = details.map(present);
  const end = endWithin(items, limits.pageBytes);
  const next = end < items.length ? (page.items[end - 1]?.head.id ?? null) : page.next;
  return { thread, messages: { items: items.slice(0, end), next } };
}
