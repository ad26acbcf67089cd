/** The way out, up to the commit: what send and reply share. The hand-off itself is `hand-off.ts`. */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import type { EmailContent, EmailHead, Header, LinkSettings, StoredAttachment } from '../../core/email.ts';
import type { EmailId, SpaceId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import type { Address } from '../../core/mail/addresses.ts';
import { envelopeOf } from '../../core/mail/envelope.ts';
import { ownMessageId } from '../../core/mail/message-ids.ts';
import type { RequestedAttachment } from '../../core/mail/outgoing.ts';
import { snippet, textOfHtml } from '../../core/mail/text.ts';
import { Problem } from '../../core/problems.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import type { Thread } from '../../core/thread.ts';
import { mergeParticipants } from '../../core/threading/participants.ts';
import { count } from '../../observability/count.ts';
import { recordAttachments } from '../../storage/attachments.ts';
import type { VerifiedSender } from '../../storage/domains.ts';
import { storeContent } from '../../storage/email-content.ts';
import { addHistoryEntry, createEmail, findEmail } from '../../storage/emails.ts';
import { claimIdempotencyKey, findIdempotencyKey } from '../../storage/idempotency.ts';
import { enqueue } from '../../storage/outbox.ts';
import { addToScheduleIndex } from '../../storage/schedule-index.ts';
import { countBlocks } from '../../storage/suppressions.ts';
import { ConditionFailed, transact } from '../../storage/table.ts';
import { addToThread, createThread, findThread } from '../../storage/threads.ts';
import { type RecipientSplit, splitSuppressed } from '../suppressions/split-suppressed.ts';
import { newEvent } from '../webhooks/new-event.ts';
import type { Idempotency } from './idempotency.ts';
import { type CarriedAttachment, gatherFiles, storeFiles } from './outgoing-files.ts';
import { checkSchedule, sendMailMessage } from './scheduled-emails.ts';

/** A message as a program wants it sent, validated. */
export interface OutgoingEmail {
  readonly sender: VerifiedSender;
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
  /** Optional mail: each recipient gets a way out of it. */
  readonly unsubscribe: boolean;
  /** Scheme and host that the API was reached at, for the links in the message. */
  readonly baseUrl: string;
  /** Unix milliseconds; null: now. */
  readonly scheduledAt: number | null;
  /** The thread that a new one forwards. */
  readonly forwardOf: ThreadId | null;
  /** Files of other emails of the workspace that go along. */
  readonly carried: readonly CarriedAttachment[];
}

/** The conversation that a message continues. */
export interface ConversationContext {
  readonly thread: Thread;
  /** Message-ID of the message answered, and the chain before it; null where it has none. */
  readonly answered: { readonly messageId: string; readonly references: readonly string[] } | null;
}

export interface AcceptedEmail {
  readonly email: EmailHead;
  /** The key was used before with the same body: nothing new was created. */
  readonly replayed: boolean;
  /** Recipients that were left out; of a replay none, whatever the first request was told (interface, "Idempotency"). */
  readonly suppressed: readonly string[];
}

/**
 * The chain that an answer to this message carries in References (RFC 5322, 3.6.4): the message's own chain, and its
 * id. An outbound message counts with two ids, ours and the one SES wrote, since clients quote either.
 */
export function referencesAfter(message: {
  head: EmailHead;
  content: Pick<EmailContent, 'references'>;
}): string[] {
  return [...new Set([...message.content.references, message.head.messageId])];
}

/** How often a commit begins again because another message joined the thread meanwhile. */
const joinTriesMax = 10;

/**
 * Stores the message and what it owes in one transaction: the hand-off, and `thread.created` for a new thread.
 *
 * @throws Problem no_recipients, attachments_too_large, invalid_request (thread of another space, missing upload),
 *   not_found (attachment), idempotency_key_reused
 */
export async function acceptEmail(
  workspaceId: WorkspaceId,
  outgoing: OutgoingEmail,
  continued: ConversationContext | null,
  idempotency: Idempotency | null,
): Promise<AcceptedEmail> {
  const spaceId = outgoing.sender.spaceId;
  checkSchedule(outgoing.scheduledAt);
  checkSpace(continued, spaceId);
  const terms = { spaceId, key: outgoing.suppressionKey, isOptional: outgoing.unsubscribe };
  const [used, reach] = await Promise.all([
    idempotency && findIdempotencyKey(workspaceId, spaceId, idempotency.key),
    splitSuppressed(workspaceId, terms, envelopeOf(outgoing)),
  ]);
  if (used && idempotency) return await replay(workspaceId, used, idempotency);
  const files = await gatherFiles(workspaceId, outgoing);
  if (reach.allowed.length === 0) await refuseAll(workspaceId, reach);
  const id = newId('eml');
  const attachments = await storeFiles(workspaceId, id, files);
  // What a program sends it has already: nothing is prepared.
  await recordAttachments(
    workspaceId,
    id,
    attachments.map((file) => ({ ...file, preparation: null })),
  );
  const content = outgoingContent(id, outgoing, continued, attachments, reach);
  const [contentWrites] = await Promise.all([
    storeContent(workspaceId, id, content),
    countBlocks(workspaceId, reach.suppressions),
  ]);
  for (let tries = 1, thread = continued?.thread ?? null; ; tries++) {
    const head = outgoingHead(id, outgoing, continued, content, thread?.id ?? newId('thr'), idempotency);
    try {
      await transact([
        createEmail(workspaceId, head),
        ...contentWrites,
        ...suppressedWrites(workspaceId, head, reach.suppressed),
        ...threadWrites(workspaceId, head, outgoing, thread),
        ...(idempotency ? [claimIdempotencyKey(workspaceId, spaceId, idempotency, id)] : []),
        ...(head.scheduledAt === null ? [] : [addToScheduleIndex(workspaceId, id, head.scheduledAt)]),
        ...enqueue(workspaceId, messagesFor(workspaceId, head, thread === null)),
      ]);
      count('EmailsAccepted', workspaceId);
      return { email: head, replayed: false, suppressed: reach.suppressed };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.write === 'idempotency' && idempotency && error.item) {
        return await replay(workspaceId, error.item as unknown as UsedKey, idempotency);
      }
      if (error.write !== 'thread' || tries === joinTriesMax) throw error;
      thread = thread && (await findThread(workspaceId, thread.id));
      if (!thread)
        throw new Problem('thread_not_found', 'The thread was deleted meanwhile.', { cause: error });
    }
  }
}

type UsedKey = { readonly emailId: EmailId; readonly hash: string };

/** @throws Problem idempotency_key_reused */
async function replay(workspaceId: WorkspaceId, used: UsedKey, now: Idempotency): Promise<AcceptedEmail> {
  if (used.hash !== now.hash) {
    throw new Problem('idempotency_key_reused', 'This Idempotency-Key was used with another body.');
  }
  const email = await findEmail(workspaceId, used.emailId);
  if (!email) throw new Error(`email ${used.emailId} of an idempotency key is missing`);
  return { email, replayed: true, suppressed: [] };
}

function checkSpace(continued: ConversationContext | null, spaceId: SpaceId | null): void {
  if (!continued || continued.thread.spaceId === spaceId) return;
  throw new Problem('invalid_request', 'The thread belongs to another space than the sender.', {
    issues: [{ path: 'from', message: "must be a sender of the thread's space" }],
  });
}

/** @throws Problem no_recipients */
async function refuseAll(
  workspaceId: WorkspaceId,
  { suppressed, suppressions }: RecipientSplit,
): Promise<never> {
  await countBlocks(workspaceId, suppressions);
  const detail = suppressed.length > 0 ? 'Every recipient is suppressed.' : 'There is nobody to send to.';
  throw new Problem('no_recipients', detail);
}

/** Who was left out stands in the history from the beginning, which tells of each recipient what became of them. */
function suppressedWrites(workspaceId: WorkspaceId, head: EmailHead, suppressed: readonly string[]) {
  if (suppressed.length === 0) return [];
  const entry = { type: 'suppressed', at: head.createdAt, recipients: suppressed, detail: null } as const;
  return [addHistoryEntry(workspaceId, head.id, entry, 'suppressed')];
}

function outgoingContent(
  id: EmailId,
  outgoing: OutgoingEmail,
  continued: ConversationContext | null,
  attachments: readonly StoredAttachment[],
  { suppressed }: RecipientSplit,
): EmailContent {
  const links = linksOf(outgoing);
  const text = outgoing.text ?? (outgoing.html === null ? null : textOfHtml(outgoing.html));
  return {
    cc: outgoing.cc,
    bcc: outgoing.bcc,
    replyTo: outgoing.replyTo,
    html: outgoing.html,
    text,
    // A program quotes nothing that it did not write into the body itself.
    strippedText: text,
    strippedHtml: outgoing.html,
    segments: text ? [{ kind: 'written', text }] : [],
    // SES writes its own id over ours, but leaves References alone: with our id in it, answers can be told by either.
    references: [...(continued?.answered?.references ?? []), ownMessageId(id, outgoing.sender.name)],
    headers: outgoing.headers,
    attachments,
    verdicts: { spam: null, spf: null, dkim: null, dmarc: null },
    ...(suppressed.length > 0 && { suppressed }),
    ...(links && { links }),
  };
}

/** Settled as the message is accepted, whatever becomes of the domain's settings; null for a message without links. */
function linksOf({ sender: { tracking }, html, unsubscribe, baseUrl }: OutgoingEmail): LinkSettings | null {
  const opens = tracking.opens && html !== null;
  const clicks = tracking.clicks && html !== null;
  return unsubscribe || opens || clicks ? { baseUrl, unsubscribe, opens, clicks } : null;
}

function outgoingHead(
  id: EmailId,
  outgoing: OutgoingEmail,
  continued: ConversationContext | null,
  content: EmailContent,
  threadId: ThreadId,
  idempotency: Idempotency | null,
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
    suppressionKey: outgoing.suppressionKey,
    messageId: ownMessageId(id, outgoing.sender.name),
    inReplyTo: continued?.answered?.messageId ?? null,
    idempotencyKey: idempotency?.key ?? null,
    domainId: outgoing.sender.domainId,
    mailboxId: null,
    createdAt: now(),
    scheduledAt: outgoing.scheduledAt,
    sentAt: null,
    revision: 1,
  };
}

function threadWrites(
  workspaceId: WorkspaceId,
  head: EmailHead,
  outgoing: OutgoingEmail,
  thread: Thread | null,
) {
  const present = [outgoing.from, ...outgoing.to, ...outgoing.cc];
  const joining = {
    emailId: head.id,
    at: head.createdAt,
    snippet: head.snippet,
    participants: mergeParticipants(thread?.participants ?? [], present),
  };
  if (thread) return addToThread(workspaceId, thread, joining);
  const begun = {
    id: head.threadId,
    spaceId: head.spaceId,
    subject: head.subject,
    mailbox: head.from.address,
    forwardOf: outgoing.forwardOf,
  };
  return createThread(workspaceId, begun, joining);
}

function messagesFor(workspaceId: WorkspaceId, head: EmailHead, isNewThread: boolean): OutboxMessage[] {
  const { id, threadId, createdAt } = head;
  const send = sendMailMessage(workspaceId, id, head.scheduledAt);
  if (!isNewThread) return [send];
  return [
    send,
    {
      message: newEvent(workspaceId, 'thread.created', createdAt, { threadId }),
    },
  ];
}
