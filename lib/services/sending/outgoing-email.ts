/** Emails to accept: what a request or a draft gives, and the content and the head that are stored of it. */

import type { RequestedAttachment } from '../../core/attachments/requested-attachment.ts';
import type { Tracking } from '../../core/emails/draft.ts';
import type { PacingOptions } from '../../core/emails/email.ts';
import {
  type DraftFacts,
  type EmailContent,
  type EmailHead,
  type HistoryEntry,
  type LinkSettings,
  noVerdicts,
  type OriginalMessage,
  type StoredAttachment,
  wireMessageIds,
} from '../../core/emails/email.ts';
import { ownMessageId } from '../../core/emails/message-ids.ts';
import type { ThreadId } from '../../core/ids.ts';
import type { Sender } from '../../core/sending/sender.ts';
import type { Thread } from '../../core/threads/thread.ts';
import type { Address } from '../../mail/addresses/addresses.ts';
import { textOfBody } from '../../mail/html/text-of-body.ts';
import type { Header } from '../../mail/message/headers.ts';
import { snippet } from '../../mail/text/snippet.ts';
import type { RecipientSplit } from '../suppressions/split-suppressed.ts';
import type { Idempotency } from './idempotency.ts';
import type { CarriedAttachment } from './outgoing-files.ts';

/** A validated email to accept. */
export interface OutgoingEmail {
  readonly sender: Sender;
  readonly from: Address;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  readonly replyTo: readonly Address[];
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly headers: readonly Header[];
  readonly attachments: readonly RequestedAttachment[];
  readonly suppressionKey: string | null;
  /** Optional mail: each recipient gets an unsubscribe link. */
  readonly unsubscribe: boolean;
  readonly pacing: PacingOptions;
  /** Scheme and host of the API, for the links in the message. */
  readonly baseUrl: string;
  /** Unix milliseconds; null: now. */
  readonly scheduledAt: number | null;
  /** Where it is scheduled: a message of a person in its thread cancels it. */
  readonly cancelOnReply?: boolean;
  /** The thread that this email forwards. */
  readonly forwardOf: ThreadId | null;
  /** Files of other emails of the workspace, for a forward. */
  readonly carried: readonly CarriedAttachment[];
  /** Who has to hold the claim on the thread; undefined: no matter. */
  readonly claimOwner?: string | undefined;
  /** Of this message; absent: as the domain's settings. */
  readonly tracking?: Tracking;
  /** The draft that becomes this email, of the version that is approved; its files are stored. */
  readonly draft?: Pick<EmailHead, 'id' | 'threadId' | 'idempotencyKey' | 'revision'> & {
    readonly facts: DraftFacts;
    readonly original: OriginalMessage | undefined;
    readonly attachments: readonly StoredAttachment[];
  };
}

/** The conversation that an email continues. */
export interface ConversationContext {
  /** null: the email begins one. */
  readonly thread: Thread | null;
  /** Of the thread that it begins, where that is decided. */
  readonly newThreadId?: ThreadId;
  /** The message that is answered, with its References; null where there is none. */
  readonly answered: { readonly messageId: string; readonly references: readonly string[] } | null;
}

/**
 * The context of a message that answers `answered`. The References (RFC 5322, 3.6.4) of an outbound message hold our id
 * beside the one that SES wrote: clients cite either.
 *
 * @param answered null where the thread has no message that can be answered
 */
export function contextOf(thread: Thread | null, answered: RepliedEmail | null): ConversationContext {
  if (!answered) return { thread, answered: null };
  const { head, content, history } = answered;
  // The Message-ID that recipients of the first chunk saw.
  const messageId = wireMessageIds(history)[0] ?? head.messageId;
  const references = [...new Set([...content.references, head.messageId, messageId])];
  return { thread, answered: { messageId, references } };
}

interface RepliedEmail {
  readonly head: EmailHead;
  readonly content: Pick<EmailContent, 'references'>;
  readonly history: readonly HistoryEntry[];
}

/** The content of an email that is not received. @param split its recipients, where they were checked */
export async function outgoingContent(
  id: EmailHead['id'],
  outgoing: OutgoingEmail,
  continued: ConversationContext | null,
  { attachments, suppressed }: Pick<RecipientSplit, 'suppressed'> & Pick<EmailContent, 'attachments'>,
): Promise<EmailContent> {
  const links = linksOf(outgoing);
  const text = await textOfBody(outgoing);
  return {
    cc: outgoing.cc,
    bcc: outgoing.bcc,
    replyTo: outgoing.replyTo,
    html: outgoing.html,
    text,
    // Of mail that is sent, they are divided where they are read (`withStrippedText`).
    strippedText: null,
    strippedHtml: null,
    segments: [],
    // SES replaces our Message-ID but leaves References: with our id in it, answers are found by either.
    references: [...(continued?.answered?.references ?? []), ownMessageId(id, outgoing.sender.name)],
    headers: outgoing.headers,
    attachments,
    verdicts: noVerdicts,
    ...(suppressed.length > 0 && { suppressed }),
    ...(links && { links }),
    ...(outgoing.draft?.original && { original: outgoing.draft.original }),
    ...(outgoing.scheduledAt !== null && { pacing: outgoing.pacing }),
  };
}

/** The links that the message carries, by the domain's settings at acceptance; null for none. */
function linksOf({ sender, tracking, html, unsubscribe, baseUrl }: OutgoingEmail): LinkSettings | null {
  const opens = (tracking?.opens ?? sender.tracking.opens) && html !== null;
  const clicks = (tracking?.clicks ?? sender.tracking.clicks) && html !== null;
  return unsubscribe || opens || clicks ? { baseUrl, unsubscribe, opens, clicks } : null;
}

/** The head of an email at its acceptance. */
export function outgoingHead(
  { id, threadId, createdAt }: Pick<EmailHead, 'id' | 'threadId' | 'createdAt'>,
  outgoing: OutgoingEmail,
  {
    continued,
    content,
    idempotency,
  }: {
    readonly continued: ConversationContext | null;
    readonly content: Pick<EmailContent, 'text'>;
    readonly idempotency: Idempotency | null;
  },
): EmailHead {
  return {
    id,
    threadId,
    spaceId: outgoing.sender.spaceId,
    status: outgoing.scheduledAt === null ? 'queued' : 'scheduled',
    from: outgoing.from,
    to: outgoing.to,
    others: [...outgoing.cc, ...outgoing.bcc, ...outgoing.replyTo],
    subject: outgoing.subject,
    snippet: snippet(content.text ?? ''),
    category: null,
    suspicious: false,
    suppressionKey: outgoing.suppressionKey,
    messageId: ownMessageId(id, outgoing.sender.name),
    inReplyTo: continued?.answered?.messageId ?? null,
    idempotencyKey: idempotency?.key ?? outgoing.draft?.idempotencyKey ?? null,
    // Of a draft whose time was taken away, it has no effect.
    ...(outgoing.cancelOnReply && outgoing.scheduledAt !== null && { cancelOnReply: true }),
    ...(outgoing.draft && { draft: outgoing.draft.facts }),
    domainId: outgoing.sender.domainId,
    mailboxId: outgoing.sender.mailboxId ?? null,
    createdAt,
    scheduledAt: outgoing.scheduledAt,
    sentAt: null,
    revision: 1,
  };
}
