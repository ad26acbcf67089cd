/** Storing of an arriving message in a space: an email of its thread, whatever brought the message. */
import { now } from '../../adapters/clock.ts';
import { newId, newIdAt } from '../../adapters/ids.ts';
import { putObject } from '../../adapters/objects.ts';
import type { AttachmentRecord } from '../../core/attachments/attachment.ts';
import { type EmailHead, type HistoryEntry, historyEntryId } from '../../core/emails/email.ts';
import { ownEmailId, ownMessageId } from '../../core/emails/message-ids.ts';
import {
  type DomainId,
  type EmailId,
  type MailboxId,
  type SpaceId,
  type ThreadId,
  threadBegunBy,
  type WorkspaceId,
} from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import { isFailed } from '../../core/receiving/inbound-policy.ts';
import type { Thread } from '../../core/threads/thread.ts';
import { allDone } from '../../core/work/all-done.ts';
import { hostOf } from '../../mail/addresses/addresses.ts';
import { categorize } from '../../mail/category/category.ts';
import { snippet } from '../../mail/text/snippet.ts';
import { mergeParticipants } from '../../mail/threading/participants.ts';
import { count, nameEmail } from '../../observability/count.ts';
import { type ArrivalLookup, lookUpArrival } from '../../storage/emails/arrivals.ts';
import { contentAhead, contentWrite, rawMessageObject } from '../../storage/emails/email-content.ts';
import { createEmail } from '../../storage/emails/email-heads.ts';
import { addHistoryEntry } from '../../storage/emails/history.ts';
import { indexArrivingId, waitForMissingParents } from '../../storage/emails/message-ids.ts';
import { claimReceived } from '../../storage/emails/received.ts';
import { copyRaw } from '../../storage/receiving/raw-messages.ts';
import { commit, contended, discardAhead, refusalOf, type Write } from '../../storage/table/transactions.ts';
import { addToThread, createThread } from '../../storage/threads/threads.ts';
import { newEvent } from '../events/new-event.ts';
import { conflict, joinPatienceMs, retryOnConflict } from '../retry-on-conflict.ts';
import { addRecipientsOfCopy } from '../threads/add-mailboxes.ts';
import {
  addressesOfMessage,
  resolveThread,
  type ThreadResolution,
  withoutReplyToken,
} from '../threads/resolve-thread.ts';
import { type Arrival, headAddressesMax } from './arrival.ts';
import { type ReceivedFile, receivedFiles, receivedMessages, storeReceivedFiles } from './received-files.ts';
import { firstContactWrites, recordSender, withSenderSignals } from './sender-signals.ts';

/** A space that a message arrived in, with its recipients there. */
export interface Target {
  readonly workspaceId: WorkspaceId;
  readonly spaceId: SpaceId | null;
  readonly domainId: DomainId | null;
  /** The envelope recipients in the space, or the address of the mailbox. */
  readonly recipients: readonly string[];
  /** null: it arrived by SES. */
  readonly mailbox: MailboxArrival | null;
}

/** How a message arrived in a mailbox, and its place at the provider. */
export interface MailboxArrival {
  readonly mailboxId: MailboxId;
  /** The provider's id of the message. */
  readonly messageId: string;
  readonly raw: Buffer;
  /** When the provider received it; Unix milliseconds. */
  readonly receivedAt: number;
  /** It is older than the connection of the mailbox: nobody is told of it. */
  readonly isHistory: boolean;
  /** The thread of the provider's conversation, or null. */
  findThread(): Promise<ThreadId | null>;
  /** The email that the provider's message has become, or null. */
  findEmail(): Promise<EmailId | null>;
  /** The writes that link the provider's message; the first one is named `provider message` and fails where it is linked. */
  link(owner: { readonly emailId: EmailId; readonly threadId: ThreadId }): Write[];
  /** Links a message that the space has received before, from elsewhere. */
  linkCopy(emailId: EmailId): Promise<void>;
}

/** Refusals of a commit whose thread resolution is outdated, or whose message was received meanwhile. */
const resolutionRefusals: ReadonlySet<ReturnType<typeof refusalOf>> = new Set([
  'thread',
  // Of an email that the message would have canceled.
  'status',
  'message id',
  'missing parent',
  'received',
  'provider message',
  contended,
]);

interface ChangeSet {
  readonly writes: readonly Write[];
  readonly messages: readonly OutboxMessage[];
}

/** What is stored of an arriving message, whatever its thread is when it is committed. */
interface Stored {
  readonly id: EmailId;
  /** Unix milliseconds. */
  readonly at: number;
  readonly files: readonly AttachmentRecord[];
  /** The writes of its content. */
  readonly content: readonly Write[];
  /** By the policy of the workspace: it joins threads by Message-ID only. */
  readonly suspicious: boolean;
}

/** The email of a message in a space. */
interface StoredMessage {
  readonly id: EmailId;
  /** False where the space had received it before. */
  readonly isNew: boolean;
}

/**
 * Stores the message in a space.
 *
 * @param first what was stored about the message when it arrived
 * @param suspicious by the policy of the workspace
 */
export async function storeInSpace(
  arrival: Arrival,
  target: Target,
  first: ArrivalLookup,
  suspicious: boolean,
): Promise<StoredMessage> {
  const copy = await joinCopy(target, first);
  if (copy) return { id: copy, isNew: false };
  const { workspaceId, mailbox } = target;
  const at = mailbox?.isHistory ? mailbox.receivedAt : now();
  const id = mailbox?.isHistory ? newIdAt('eml', at) : newId('eml');
  const files = receivedFiles(arrival.message.attachments);
  const content = await storeParts(await withSenderSignals(arrival, target, first), target, id, files);
  const writes = [...content, ...firstContactWrites(arrival, target, first)];
  const stored = { id, at, files: files.map(({ record }) => record), content: writes, suspicious };
  const committed = await commitInThread(arrival, target, first, stored);
  if (committed === id) await recordSender(arrival, target, first, suspicious);
  // Another copy was faster.
  else {
    const { removeUncommittedParts } = await import('../../storage/teardown/teardown-emails.ts');
    await removeUncommittedParts(workspaceId, { id });
  }
  return { id: committed, isNew: committed === id };
}

/** Commits the email with its thread, as both are found; returns the id of the message's email, which another copy may have made. */
async function commitInThread(
  arrival: Arrival,
  target: Target,
  first: ArrivalLookup,
  stored: Stored,
): Promise<EmailId> {
  const { workspaceId, recipients, mailbox } = target;
  const { id, at, suspicious } = stored;
  let seen = first;
  return await retryOnConflict(
    `thread of email ${id}`,
    async () => {
      const resolution = await resolveThread({
        scope: target,
        recipients,
        message: arrival.message,
        known: seen.messageIds,
        at,
        suspicious,
        conversation: (await mailbox?.findThread()) ?? null,
      });
      const { writes, messages } = await receptionOf(arrival, target, stored, resolution);
      try {
        await commit(workspaceId, writes, messages);
        count(arrival.origin.isSent ? 'EmailsSentElsewhere' : 'EmailsReceived', null);
        nameEmail({ workspace_id: workspaceId, email_id: id, received: true });
        return id;
      } catch (error) {
        const refusal = refusalOf(error);
        // The next try may find a thread.
        await discardAhead(writes);
        if (!resolutionRefusals.has(refusal)) throw error;
        const linked = refusal === 'provider message' ? await mailbox?.findEmail() : null;
        if (linked) return linked;
        seen = await lookUpArrival(target, arrival);
        return (await joinCopy(target, seen)) ?? conflict;
      }
    },
    joinPatienceMs,
  );
}

/** The writes and messages that store the email in the thread that was found, or in a new one. */
async function receptionOf(
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

/** The email of a message that the space has received before, with the recipients of this copy; null where it has not. */
async function joinCopy(target: Target, { receivedAs }: ArrivalLookup): Promise<EmailId | null> {
  if (receivedAs === null) return null;
  await addRecipientsOfCopy(target.workspaceId, receivedAs, mailboxesOf(target));
  await target.mailbox?.linkCopy(receivedAs);
  return receivedAs;
}

/** Stores the objects of the email ahead of its transaction, at the same time; returns the writes of its content. */
async function storeParts(
  arrival: Arrival,
  { workspaceId, recipients, mailbox }: Target,
  id: EmailId,
  files: readonly ReceivedFile[],
): Promise<Write[]> {
  const { raw: received, isShared } = arrival.origin;
  const copied = received && isShared ? await copyRaw(workspaceId, id, received) : null;
  const raw = mailbox ? rawMessageObject(workspaceId, id) : copied;
  const known = arrival.content.arrival;
  const storing = contentWrite(workspaceId, id, {
    ...arrival.content,
    ...(known && { arrival: { ...known, isShared: false } }),
    attachments: files.map(({ record: { extraction: _, ...file } }) => file),
    ...(!arrival.origin.isSent && { envelope: recipients }),
    ...(raw && { raw }),
  });
  await allDone<unknown>([
    storing,
    storeReceivedFiles(workspaceId, id, files),
    ...(raw && mailbox ? [putObject(raw, mailbox.raw, 'message/rfc822')] : []),
  ]);
  return contentAhead(await storing);
}

/** The addresses on our side that a message went through. */
function mailboxesOf({ recipients }: Target): string[] {
  return recipients.map(withoutReplyToken);
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
