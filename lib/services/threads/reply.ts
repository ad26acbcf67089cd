/** Defaults of a reply (docs/concepts/threads.md#reply). */

import type { SenderDomain } from '../../core/domains/sender-domain.ts';
import { directionOf, type EmailHead, type FullEmail } from '../../core/email.ts';
import type { ThreadId, WorkspaceId } from '../../core/ids.ts';
import type { Address } from '../../core/mail/addresses.ts';
import { Problem } from '../../core/problems.ts';
import { mailboxesOf, type Thread } from '../../core/thread.ts';
import { type RepliedMessage, replyRecipients } from '../../core/threading/participants.ts';
import { replySubject } from '../../core/threading/subject.ts';
import { findFullEmail, findNewestMessages } from '../../storage/emails.ts';
import { type ConversationContext, contextOf } from '../sending/accept-email.ts';
import { resolveSender } from '../sending/resolve-sender.ts';
import { getThread } from './threads.ts';

export interface PreparedReply {
  readonly from: Address;
  readonly sender: SenderDomain;
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
  given: { from: Address | null; replyAll: boolean; hasRecipients: boolean },
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
  const recipients = replyRecipients({
    newestInbound: inbound && repliedMessage(inbound),
    newestOutbound: answered && repliedMessage(answered),
    replyAll: given.replyAll,
    ourAddresses: [...mailboxesOf(thread), ...(answered && !inbound ? [answered.head.from.address] : [])],
  });
  return {
    ...recipients,
    from,
    sender,
    subject: replySubject(thread.subject),
    continued: contextOf(thread, answered),
  };
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
