/** The queue messages of a submission, and the recipient chunks that they are about. */
import type { EmailContent, EmailHead } from '../../core/emails/email.ts';
import { chunksOf, envelopeOf } from '../../core/emails/envelope.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { OutboxMessage, ReleaseMail, SendMail, SubmitMailboxEmail } from '../../core/queue-messages.ts';

interface SentEmail {
  readonly head: Pick<EmailHead, 'id' | 'to' | 'scheduledAt' | 'mailboxId'>;
  readonly content: Pick<EmailContent, 'cc' | 'bcc' | 'suppressed' | 'links'>;
}

/** Recipients suppressed at acceptance stay out for good, so that the chunks never change. */
export function chunksOfEmail({ content, head }: SentEmail): string[][] {
  const suppressed = new Set(content.suppressed);
  const envelope = envelopeOf({ ...content, to: head.to }).filter((address) => !suppressed.has(address));
  // A provider of mailboxes takes the recipients from the headers: one message for all of them.
  const together = head.mailboxId === null ? limits.recipientsPerSubmission : Math.max(1, envelope.length);
  return chunksOf(envelope, content.links?.unsubscribe ? 1 : together);
}

/** The first message of an email: into the lane of its region, or to the worker that finds out more first. */
export function firstMessage(workspaceId: WorkspaceId, email: SentEmail, region: string): OutboxMessage {
  const { id, scheduledAt, mailboxId } = email.head;
  if (mailboxId !== null) {
    const message = submitMailboxMessage(workspaceId, id, null);
    return scheduledAt === null ? { message } : { message, dueAt: scheduledAt };
  }
  const [chunk, ...others] = chunksOfEmail(email);
  if (scheduledAt !== null) return { message: sendMailMessage(workspaceId, id, null), dueAt: scheduledAt };
  if (!chunk || others.length > 0) return { message: sendMailMessage(workspaceId, id, null) };
  return {
    message: releaseMailMessage(workspaceId, { emailId: id, chunk: null, region, recipients: chunk.length }),
  };
}

/** The message that puts an email, or a chunk of it, into the lane of its workspace and region. */
export function releaseMailMessage(
  workspaceId: WorkspaceId,
  released: Pick<ReleaseMail, 'emailId' | 'chunk' | 'region' | 'recipients'>,
): ReleaseMail {
  return { kind: 'release-mail', v: 1, workspaceId, ...released };
}

/** The message that submits an email, or a chunk of it; without a slot, it gets one first. */
export function sendMailMessage(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  chunk: number | null,
  slot: SendMail['slot'] = null,
): SendMail {
  return { kind: 'send-mail', v: 1, workspaceId, emailId, chunk, slot };
}

/** The message that submits an email of a mailbox, or a chunk of it. */
export function submitMailboxMessage(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  chunk: number | null,
): SubmitMailboxEmail {
  return { kind: 'submit-mailbox-email', v: 1, workspaceId, emailId, chunk };
}
