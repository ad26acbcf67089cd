/** The context of an email that continues a thread without being a reply to a message. */
import type { EmailHead } from '../../core/emails/email.ts';
import type { ThreadId, WorkspaceId } from '../../core/ids.ts';
import type { Thread } from '../../core/threads/thread.ts';
import { listNewestMessages } from '../../storage/emails/email-heads.ts';
import { findFullEmail } from '../../storage/emails/emails.ts';
import { getThread } from '../reading/get-thread.ts';
import { type ConversationContext, contextOf } from '../sending/outgoing-email.ts';

/** A message that was never sent is not answered. */
export const isAnswerable = ({ status }: EmailHead): boolean =>
  status !== 'scheduled' && status !== 'canceled';

/** The context of a new message of the thread: it answers the newest message that is neither scheduled nor canceled. */
export async function continueThread(workspaceId: WorkspaceId, thread: Thread): Promise<ConversationContext> {
  const newest = (await listNewestMessages(workspaceId, thread.id)).find(isAnswerable);
  return contextOf(thread, newest ? await findFullEmail(workspaceId, newest.id) : null);
}

/** The same of a thread that a request names. @throws Problem thread_not_found */
export async function continueNamedThread(
  workspaceId: WorkspaceId,
  id: ThreadId,
): Promise<ConversationContext> {
  return await continueThread(workspaceId, await getThread(workspaceId, id));
}
