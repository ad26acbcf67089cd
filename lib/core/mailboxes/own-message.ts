/** Which sent message of a mailbox is one that Parley has sent. */
import type { Header } from '../../mail/message/headers.ts';
import { ownEmailId } from '../emails/message-ids.ts';
import type { EmailId } from '../ids.ts';

interface SentMessage {
  readonly messageId: string | null;
  readonly inReplyTo: readonly string[];
  readonly references: readonly string[];
  readonly headers: readonly Header[];
}

/** The id of ours that a sent message has. */
export interface OwnId {
  readonly emailId: EmailId;
  /** With angle brackets. */
  readonly messageId: string;
}

/**
 * The email that a sent message may be, by our own id: in Message-ID; in Google's header for an id that it has replaced;
 * or as the last of References, which our messages end with, unless the message answers it. The caller checks that the
 * email went through the mailbox.
 */
export function ownIdOfSentMessage({ messageId, inReplyTo, references, headers }: SentMessage): OwnId | null {
  const replaced = headers.find(({ name }) => name.toLowerCase() === 'x-google-original-message-id');
  const last = references.at(-1) ?? null;
  const ids = [
    messageId,
    replaced?.value.trim() ?? null,
    last !== null && !inReplyTo.includes(last) ? last : null,
  ];
  for (const id of ids) {
    const emailId = id === null ? null : ownEmailId(id);
    if (id !== null && emailId) return { emailId, messageId: id };
  }
  return null;
}

/**
 * The Message-ID of a chunk. The first has the email's own; each further one has a host of its own, so that a provider's
 * copy of it can be told from the others. The local part names the email in each.
 */
export function messageIdOfChunk(messageId: string, number: number): string {
  return number === 0 ? messageId : messageId.replace('@', `@${number}.`);
}

/** The number of the chunk with this Message-ID. @param messageId of the email */
export function chunkOfMessageId(messageId: string, ofChunk: string): number {
  if (messageId.toLowerCase() === ofChunk.toLowerCase()) return 0;
  return Number(/@(\d{1,3})\./.exec(ofChunk)?.[1] ?? 0);
}
