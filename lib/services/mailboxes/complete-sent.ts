/** Messages of a mailbox that Parley has sent: their emails learn the provider's ids, and are confirmed by them. */
import type { FullEmail } from '../../core/emails/email.ts';
import { ownEmailId } from '../../core/emails/message-ids.ts';
import type { EmailId, MailboxId, WorkspaceId } from '../../core/ids.ts';
import { chunkOfMessageId, messageIdOfChunk, type OwnId } from '../../core/mailboxes/own-message.ts';
import { findFullEmail } from '../../storage/emails/emails.ts';
import { indexFurtherId } from '../../storage/emails/message-ids.ts';
import { linkProviderMessage, type ProviderRef } from '../../storage/mailboxes/provider-messages.ts';
import { commitIfUnchanged } from '../../storage/table/transactions.ts';
import { completeAccepted, completeFound } from '../sending/complete-submission.ts';
import { logClaim } from '../sending/submission-outcomes.ts';

/** The email, where it went through the mailbox; null for any other: whoever received it can cite its id. */
export async function findSentThrough(
  workspaceId: WorkspaceId,
  mailboxId: MailboxId,
  emailId: EmailId,
): Promise<FullEmail | null> {
  const email = await findFullEmail(workspaceId, emailId);
  return email?.head.mailboxId === mailboxId && email.head.status !== 'received' ? email : null;
}

/**
 * Links an email to its message at the provider, and completes the chunk whose outcome is not known yet: the message has
 * been sent. Idempotent.
 *
 * @param found.wireId the Message-ID at the provider, which may have replaced ours
 */
export async function completeSent(
  workspaceId: WorkspaceId,
  email: FullEmail,
  ref: ProviderRef,
  { own, wireId }: { readonly own: OwnId; readonly wireId: string | null },
): Promise<void> {
  const { id, threadId, spaceId, messageId } = email.head;
  const owner = { emailId: id, threadId };
  const isReplaced = wireId !== null && !ownEmailId(wireId);
  if (isReplaced) {
    await commitIfUnchanged(workspaceId, indexFurtherId(workspaceId, spaceId, wireId, owner));
  }
  const number = chunkOfMessageId(messageId, own.messageId);
  const claim = email.chunks.find((chunk) => chunk.number === number);
  if (claim?.state === 'claimed') {
    const wire = isReplaced ? wireId : messageIdOfChunk(messageId, number);
    const isCompleted = await completeAccepted(workspaceId, email, claim, {
      providerId: ref.messageId,
      messageId: wire,
    });
    if (isCompleted) logClaim('submission.completed_by_report', workspaceId, id, claim);
  } else {
    await completeFound(workspaceId, email);
  }
  // Last: what is linked is not read again.
  await commitIfUnchanged(workspaceId, linkProviderMessage(workspaceId, owner, ref));
}
