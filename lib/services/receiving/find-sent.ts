/** Sent email that arriving mail refers to: the subject of a report, or our own mail in a loop. */
import type { HistoryEntry } from '../../core/emails/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import type { MailScope } from '../../core/workspaces/space.ts';
import type { ParsedMessage } from '../../mail/message/parse-mime.ts';
import { isOwnMailLoop } from '../../mail/threading/mail-loop.ts';
import { findProgress } from '../../storage/emails/emails.ts';
import { findEmailByMessageId } from '../../storage/emails/message-ids.ts';

export interface SentEmail {
  readonly id: EmailId;
  /** The address of its From. */
  readonly from: string;
  /** Recipients it was submitted for. */
  readonly recipients: readonly string[];
  readonly history: readonly HistoryEntry[];
}

/** The sent email with this Message-ID, our own or SES's; null for received mail and for mail that was never submitted. */
export async function findSent(
  { workspaceId, spaceId }: MailScope,
  messageId: string,
): Promise<SentEmail | null> {
  const id = await findEmailByMessageId(workspaceId, spaceId, messageId);
  return id && (await asSent(workspaceId, id));
}

async function asSent(workspaceId: WorkspaceId, id: EmailId): Promise<SentEmail | null> {
  const progress = await findProgress(workspaceId, id);
  if (!progress) return null;
  // A claimed chunk counts: mail about it may arrive before its submission is completed.
  const chunks = progress.chunks.filter(({ state }) => state !== 'refused');
  const recipients = chunks.flatMap((chunk) => chunk.recipients);
  const from = progress.head.from.address;
  return recipients.length === 0 ? null : { id, from, recipients, history: progress.history };
}

/**
 * Whether a message is our own, returned to addresses that it was not sent to.
 *
 * @param emailId of the first email with the Message-ID, or null
 */
export async function isReturnedOwnMail(
  workspaceId: WorkspaceId,
  emailId: EmailId | null,
  { from, replyTo }: Pick<ParsedMessage, 'from' | 'replyTo'>,
  recipients: readonly string[],
): Promise<boolean> {
  const sent = emailId && (await asSent(workspaceId, emailId));
  if (!sent) return false;
  const authors = [...(from ? [from] : []), ...replyTo].map(({ address }) => address);
  return isOwnMailLoop({ authors: [sent.from], recipients: sent.recipients }, { authors, recipients });
}
