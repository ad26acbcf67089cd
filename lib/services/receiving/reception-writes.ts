/** What is stored of a message in a space, in one transaction with its thread. */
import type { AttachmentRecord } from '../../core/attachments/attachment.ts';
import { type EmailHead, type HistoryEntry, historyEntryId } from '../../core/emails/email.ts';
import { ownEmailId, ownMessageId } from '../../core/emails/message-ids.ts';
import { type EmailId, type ThreadId, threadBegunBy } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import { isFailed } from '../../core/receiving/inbound-policy.ts';
import type { Thread } from '../../core/threads/thread.ts';
import { hostOf } from '../../mail/addresses/addresses.ts';
import { categorize } from '../../mail/category/category.ts';
import { snippet } from '../../mail/text/snippet.ts';
import { mergeParticipants } from '../../mail/threading/participants.ts';
import { createEmail } from '../../storage/emails/email-heads.ts';
import { addHistoryEntry } from '../../storage/emails/history.ts';
import { indexArrivingId, waitForMissingParents } from '../../storage/emails/message-ids.ts';
import { claimReceived } from '../../storage/emails/received.ts';
import type { Write } from '../../storage/table/transactions.ts';
import { addToThread, createThread } from '../../storage/threads/threads.ts';
import { newEvent } from '../events/new-event.ts';
import { addressesOfMessage, type ThreadResolution } from '../threads/resolve-thread.ts';
import { type Arrival, headAddressesMax } from './arrival.ts';
import { receivedMessages } from './received-files.ts';
import { mailboxesOf, type Target } from './target.ts';

interface ChangeSet {
  readonly writes: readonly Write[];
  readonly messages: readonly OutboxMessage[];
}

/** What is stored of an arriving message, whatever its thread is when it is committed. */
export interface Stored {
  readonly id: EmailId;
  /** Unix milliseconds. */
  readonly at: number;
  readonly files: readonly AttachmentRecord[];
  /** The writes of its content, and of its author as a first contact. */
  readonly content: readonly Write[];
  /** By the policy of the workspace: it joins threads by Message-ID only. */
  readonly suspicious: boolean;
}

/** The writes and messages that store the email in the thread that was found, or in a new one. */
export async function receptionOf(
  arrival: Arrival,
  target: Target,
  { id, at, files, content, suspicious }: Stored,
  { thread, missingParents, waitingThread, isIdTaken }: ThreadResolution,
): Promise<ChangeSet> {
  const { workspaceId, spaceId, mailbox } = target;
  const threadId = thread?.id ?? threadBegunBy(id);
  const answersOurs = thread?.correspondence.hasOutbound === true;
  const owned = headOf(arrival, target, { id, threadId, at, answersOurs });
  const head = { ...owned, suspicious: suspicious || isFailed(arrival.origin.verdicts.dmarc) };
  const owner = { emailId: id, threadId };
  const fingerprint = isIdTaken ? null : arrival.fingerprint;
  const writes = [
    ...(mailbox?.link(owner) ?? []),
    ...content,
    ...createEmail(workspaceId, head),
    ...(fingerprint ? [] : [claimReceived(workspaceId, spaceId, arrival.fingerprint, id)]),
    // An id of our own form names its email.
    ...(ownEmailId(head.messageId)
      ? []
      : [indexArrivingId(workspaceId, spaceId, head.messageId, { ...owner, waitingThread, fingerprint })]),
    ...waitForMissingParents(workspaceId, spaceId, missingParents, { own: head.messageId, threadId }),
    ...threadWrites(arrival, target, head, thread),
    ...sentEntry(arrival, target, head),
  ];
  const canceled = await canceledBy(target, head, thread);
  return {
    writes: [...writes, ...canceled.writes],
    messages: [...messagesFor(target, head, files, thread === null), ...canceled.messages],
  };
}

/** Whether a message cancels the follow-ups of its thread: a person has written it, now. */
const isReply = ({ mailbox }: Target, { category, status }: EmailHead): boolean =>
  status === 'received' && category === 'human' && !mailbox?.isHistory;

/** What cancels the emails that wait in the thread for this not to happen. */
async function canceledBy(target: Target, head: EmailHead, thread: Thread | null): Promise<ChangeSet> {
  const { followUps = [] } = thread ?? {};
  if (followUps.length === 0 || !isReply(target, head)) return { writes: [], messages: [] };
  const { cancelFollowUps } = await import('../sending/follow-ups.ts');
  return await cancelFollowUps(target.workspaceId, followUps, head);
}

function headOf(
  { message, origin, content }: Arrival,
  { spaceId, domainId, mailbox, recipients }: Target,
  {
    id,
    threadId,
    at,
    answersOurs,
  }: {
    readonly id: EmailId;
    readonly threadId: ThreadId;
    readonly at: number;
    /** The thread has mail of ours. */
    readonly answersOurs: boolean;
  },
): Omit<EmailHead, 'suspicious'> {
  const { isSent, verdicts } = origin;
  const { text, strippedText } = content;
  const from = message.from ?? { name: null, address: origin.returnPath };
  return {
    id,
    threadId,
    spaceId,
    status: isSent ? 'sent' : 'received',
    from,
    to: message.to.slice(0, headAddressesMax),
    others: [...message.cc, ...message.bcc, ...message.replyTo].slice(0, headAddressesMax),
    subject: message.subject.slice(0, limits.subjectCharacters),
    snippet: snippet(strippedText ?? text ?? ''),
    category: isSent
      ? null
      : categorize({ ...message, verdicts, text, writtenText: strippedText, answersOurs }),
    suppressionKey: null,
    messageId: message.messageId ?? ownMessageId(id, hostOf(recipients[0] ?? '')),
    inReplyTo: message.inReplyTo[0] ?? null,
    idempotencyKey: null,
    domainId,
    mailboxId: mailbox?.mailboxId ?? null,
    createdAt: at,
    scheduledAt: null,
    sentAt: isSent ? (mailbox?.receivedAt ?? at) : message.date,
    revision: 1,
  };
}

function threadWrites({ message }: Arrival, target: Target, head: EmailHead, thread: Thread | null): Write[] {
  const { workspaceId, recipients } = target;
  const activity = {
    emailId: head.id,
    at: head.createdAt,
    snippet: head.snippet,
    marksUnread: head.category === 'human' && !target.mailbox?.isHistory,
    direction: head.status === 'received' ? ('inbound' as const) : ('outbound' as const),
    from: head.from,
    to: message.to,
    participants: mergeParticipants(thread?.participants ?? [], addressesOfMessage(message)),
    mailboxes: mailboxesOf(target),
    ...(thread?.followUps && isReply(target, head) && { followUps: [] }),
  };
  if (thread) return addToThread(workspaceId, thread, activity);
  const created = {
    id: head.threadId,
    spaceId: head.spaceId,
    subject: head.subject,
    mailbox: recipients[0] ?? '',
    forwardOf: null,
  };
  return createThread(workspaceId, created, activity);
}

/** The history of mail that the owner of a mailbox sent elsewhere: it is sent, and nothing more is learned of it. */
function sentEntry({ origin, message }: Arrival, { workspaceId }: Target, head: EmailHead): Write[] {
  if (!origin.isSent) return [];
  const at = head.sentAt ?? head.createdAt;
  const recipients = [...message.to, ...message.cc, ...message.bcc].map(({ address }) => address);
  const entry: HistoryEntry = {
    type: 'sent',
    at,
    recipients: recipients.slice(0, headAddressesMax),
    detail: head.messageId,
  };
  return [addHistoryEntry(workspaceId, head.id, historyEntryId(at, `sent ${origin.id}`), entry)];
}

function messagesFor(
  { workspaceId, mailbox }: Target,
  head: EmailHead,
  files: readonly AttachmentRecord[],
  isNewThread: boolean,
): OutboxMessage[] {
  const { id: emailId, threadId, createdAt, status } = head;
  if (mailbox?.isHistory) return receivedMessages(workspaceId, emailId, files, null);
  const isReceived = status === 'received';
  const received = isReceived ? newEvent(workspaceId, 'email.received', createdAt, { emailId }) : null;
  return [
    ...receivedMessages(workspaceId, emailId, files, received),
    ...(isReceived ? [] : [{ message: newEvent(workspaceId, 'email.sent', createdAt, { emailId }) }]),
    ...(isNewThread ? [{ message: newEvent(workspaceId, 'thread.created', createdAt, { threadId }) }] : []),
  ];
}
