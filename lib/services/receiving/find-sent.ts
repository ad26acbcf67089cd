/** Mail of ours that arriving mail speaks of: what a report is about, what came back by a loop. */
import type { HistoryEntry } from '../../core/email.ts';
import type { EmailId, SpaceId, WorkspaceId } from '../../core/ids.ts';
import { isOwnMailLoop } from '../../core/mail/mail-loop.ts';
import { findProgress } from '../../storage/emails.ts';
import { findEmailByMessageId } from '../../storage/message-ids.ts';

/** Where a message arrived: ids that it cites lead nowhere else. */
export interface MailScope {
  readonly workspaceId: WorkspaceId;
  readonly spaceId: SpaceId | null;
}

export interface SentEmail {
  readonly id: EmailId;
  /** Everyone it was handed over for. */
  readonly recipients: readonly string[];
  readonly history: readonly HistoryEntry[];
}

/** The email of ours with this Message-ID, own or on the wire; null for received mail and for what never left. */
export async function findSent(
  { workspaceId, spaceId }: MailScope,
  messageId: string,
): Promise<SentEmail | null> {
  const id = await findEmailByMessageId(workspaceId, spaceId, messageId);
  const progress = id && (await findProgress(workspaceId, id));
  if (!progress) return null;
  // A claimed chunk counts: mail about it may come before its hand-off is settled.
  const chunks = progress.chunks.filter(({ state }) => state !== 'refused');
  const recipients = chunks.flatMap((chunk) => chunk.recipients);
  return recipients.length === 0 ? null : { id, recipients, history: progress.history };
}

/** Whether a message is our own, come back to addresses that it was not sent to. */
export async function isReturnedOwnMail(
  place: MailScope,
  messageId: string | null,
  arrivedAt: readonly string[],
): Promise<boolean> {
  const sent = messageId && (await findSent(place, messageId));
  return sent ? isOwnMailLoop(sent.recipients, arrivedAt) : false;
}
