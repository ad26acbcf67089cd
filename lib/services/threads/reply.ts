/** Defaults of a reply (docs/concepts/threads.md#reply). */

import { directionOf, type EmailHead, type FullEmail } from '../../core/email.ts';
import type { EmailId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Address } from '../../core/mail/addresses.ts';
import { Problem } from '../../core/problems.ts';
import type { Sender } from '../../core/sender.ts';
import { mailboxesOf, type Thread } from '../../core/thread.ts';
import { type RepliedMessage, replyRecipients, withoutTag } from '../../core/threading/participants.ts';
import { replySubject } from '../../core/threading/subject.ts';
import { findFullEmail, findNewestMessages } from '../../storage/emails.ts';
import { findConnectedAddresses } from '../../storage/mailboxes.ts';
import { type ConversationContext, contextOf } from '../sending/outgoing-email.ts';
import { resolveSender } from '../sending/resolve-sender.ts';
import { getThread } from './threads.ts';

export interface PreparedReply {
  readonly from: Address;
  readonly sender: Sender;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly subject: string;
  readonly continued: ConversationContext;
}

/** A message that was never sent is not answered. */
const isAnswerable = ({ status }: EmailHead): boolean => status !== 'scheduled' && status !== 'canceled';

/** Whether a message gives default recipients: received, no bounce, and not suspicious. */
const isReplyable = ({ status, category, suspicious }: EmailHead): boolean =>
  directionOf(status) === 'inbound' && category !== 'bounce' && !suspicious;

/**
 * Reads the message that a reply answers, its recipients and its sender.
 *
 * @param given.from null: the thread's mailbox
 * @param given.hasRecipients whether the request names `to`
 * @throws Problem thread_not_found, thread_empty, sender_unknown, domain_unverified
 */
export async function prepareReply(
  workspaceId: WorkspaceId,
  threadId: ThreadId,
  given: GivenReply,
): Promise<PreparedReply> {
  const reading = getThread(workspaceId, threadId);
  const sending = reading.then(async ({ mailbox }) => {
    const from = given.from ?? { name: null, address: mailbox };
    return { from, sender: await resolveSender(workspaceId, from) };
  });
  const [thread, { from, sender }, { answered, inbound }] = await Promise.all([
    reading,
    sending,
    readNewest(workspaceId, threadId),
  ]);
  if (!answered && !given.hasRecipients) {
    throw new Problem(
      'thread_empty',
      'The thread has only scheduled or canceled messages. Name the recipients in `to`.',
    );
  }
  const newest = { answered, inbound, outbound: answered };
  return { ...(await replyTo(workspaceId, thread, newest, given.replyAll)), from, sender };
}

/**
 * The same for a reply to one email of a thread.
 *
 * @param given.from null: the thread's mailbox
 * @throws Problem not_found, thread_empty (the email was not sent), sender_unknown, domain_unverified
 */
export async function prepareReplyToEmail(
  workspaceId: WorkspaceId,
  id: EmailId,
  given: Omit<GivenReply, 'hasRecipients'>,
): Promise<PreparedReply> {
  const answered = await findFullEmail(workspaceId, id);
  if (!answered) throw new Problem('not_found', 'The email does not exist.');
  if (!isAnswerable(answered.head)) {
    throw new Problem('thread_empty', 'The email was not sent, so that it cannot be answered.');
  }
  const thread = await getThread(workspaceId, answered.head.threadId);
  const from = given.from ?? { name: null, address: thread.mailbox };
  const sender = await resolveSender(workspaceId, from);
  const isInbound = directionOf(answered.head.status) === 'inbound';
  const messages = {
    answered,
    inbound: isReplyable(answered.head) ? answered : null,
    outbound: isInbound ? null : answered,
  };
  return { ...(await replyTo(workspaceId, thread, messages, given.replyAll)), from, sender };
}

/** What a request says about its reply. */
interface GivenReply {
  /** null: the thread's mailbox. */
  readonly from: Address | null;
  readonly replyAll: boolean;
  /** Whether the request names `to`. */
  readonly hasRecipients: boolean;
}

/** @param messages.answered the message that the reply cites; one of the others gives the recipients */
async function replyTo(
  workspaceId: WorkspaceId,
  thread: Thread,
  messages: Readonly<Record<'answered' | 'inbound' | 'outbound', FullEmail | null>>,
  replyAll: boolean,
): Promise<Omit<PreparedReply, 'from' | 'sender'>> {
  const { answered, inbound, outbound } = messages;
  const replied = inbound ?? outbound;
  const connected = replyAll && replied ? await connectedAmong(workspaceId, thread, replied) : [];
  const recipients = replyRecipients({
    newestInbound: inbound && repliedMessage(inbound),
    newestOutbound: outbound && repliedMessage(outbound),
    replyAll,
    ourAddresses: [
      ...mailboxesOf(thread),
      ...connected,
      ...(outbound && !inbound ? [outbound.head.from.address] : []),
    ],
  });
  return {
    ...recipients,
    subject: replySubject(thread.subject),
    continued: contextOf(thread, answered),
  };
}

/** Addresses of a message that are looked up: with as many strangers, `reply_all` is refused. */
const lookedUpMax = 3 * limits.recipientsPerField;

/** The mailboxes connected in the thread's space that a message names, with or without a tag. */
async function connectedAmong(
  workspaceId: WorkspaceId,
  { spaceId }: Thread,
  message: FullEmail,
): Promise<string[]> {
  const { replyTo, to, cc } = repliedMessage(message);
  const named = [...replyTo, ...to, ...cc].slice(0, lookedUpMax);
  const addresses = named.flatMap(({ address }) => [address, withoutTag(address)]);
  return await findConnectedAddresses(workspaceId, spaceId, [...new Set(addresses)]);
}

async function readNewest(workspaceId: WorkspaceId, threadId: ThreadId) {
  const newest = await findNewestMessages(workspaceId, threadId, {
    answered: isAnswerable,
    inbound: isReplyable,
  });
  const ids = [...new Set([newest.answered?.id, newest.inbound?.id])].filter((id) => id !== undefined);
  const messages = await Promise.all(ids.map((id) => findFullEmail(workspaceId, id)));
  const full = (head: EmailHead | undefined) =>
    messages.find((message) => message && message.head.id === head?.id) ?? null;
  return { answered: full(newest.answered), inbound: full(newest.inbound) };
}

/** The context of a new message of the thread: it answers the newest message that is neither scheduled nor canceled. */
export async function continueThread(workspaceId: WorkspaceId, thread: Thread): Promise<ConversationContext> {
  const { answered: newest } = await findNewestMessages(workspaceId, thread.id, { answered: isAnswerable });
  return contextOf(thread, newest ? await findFullEmail(workspaceId, newest.id) : null);
}

function repliedMessage({ head, content }: FullEmail): RepliedMessage {
  return { from: head.from, replyTo: content.replyTo, to: content.to ?? head.to, cc: content.cc };
}
