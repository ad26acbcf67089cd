/** The context of an email that continues a thread without being a reply to a message. */
import type { EmailHead } from '../../core/email.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { Thread } from '../../core/thread.ts';
import { listNewestMessages } from '../../storage/emails/email-heads.ts';
import { findFullEmail } from '../../storage/emails/emails.ts';
import { type ConversationContext, contextOf } from '../sending/outgoing-email.ts';

/** A message that was never sent is not answered. */
export const isAnswerable = ({ status }: EmailHead): boolean =>
  status !== 'scheduled' && status !== 'canceled';

/** The context of a new message of the thread: it answers the newest message that is neither scheduled nor canceled. */
export async function continueThread(workspaceId: WorkspaceId, thread: Thread): Promise<ConversationContext> {
  const newest = (await listNewestMessages(workspaceId, thread.id)).find(isAnswerable);
  return contextOf(thread, newest ? await findFullEmail(workspaceId, newest.id) : null);
}
