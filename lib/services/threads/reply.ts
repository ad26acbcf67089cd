/** What a reply is when the request leaves it open (contract, section 4, "Reply"). */
import { directionOf, type EmailHead } from '../../core/email.ts';
import type { ThreadId, WorkspaceId } from '../../core/ids.ts';
import type { Address } from '../../core/mail/addresses.ts';
import type { Thread } from '../../core/thread.ts';
import { type RepliedMessage, replyRecipients } from '../../core/threading/participants.ts';
import { replySubject } from '../../core/threading/subject.ts';
import type { VerifiedSender } from '../../storage/domains.ts';
import { type FullEmail, findFullEmail, newestOfThread } from '../../storage/emails.ts';
import { getThread } from '../../storage/threads.ts';
import { type ConversationContext, referencesAfter } from '../sending/accept-email.ts';
import { resolveSender } from '../sending/resolve-sender.ts';

export interface PreparedReply {
  readonly from: Address;
  readonly sender: VerifiedSender;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly subject: string;
  readonly continued: ConversationContext;
}

/** A message that was never sent is not answered. */
const isAnswerable = ({ status }: EmailHead): boolean => status !== 'scheduled' && status !== 'canceled';

/**
 * Reads what a reply answers, who hears it and who sends it; side by side, as far as one does not need the other.
 *
 * @param given.from null: the thread's mailbox
 * @throws Problem thread_not_found, sender_unknown, domain_unverified
 */
export async function prepareReply(
  workspaceId: WorkspaceId,
  threadId: ThreadId,
  given: { from: Address | null; replyAll: boolean },
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
  const recipients = replyRecipients({
    newestInbound: inbound && answeredOf(inbound),
    newestOutbound: answered && answeredOf(answered),
    replyAll: given.replyAll,
    ourAddresses: [thread.mailbox, ...(answered && !inbound ? [answered.head.from.address] : [])],
  });
  return {
    ...recipients,
    from,
    sender,
    subject: replySubject(thread.subject),
    continued: {
      thread,
      answered: answered && { messageId: answered.head.messageId, references: referencesAfter(answered) },
    },
  };
}

async function readNewest(workspaceId: WorkspaceId, threadId: ThreadId) {
  const newest = await newestOfThread(workspaceId, threadId, {
    answered: isAnswerable,
    inbound: (head) => directionOf(head.status) === 'inbound',
  });
  const ids = [...new Set([newest.answered?.id, newest.inbound?.id])].filter((id) => id !== undefined);
  const messages = await Promise.all(ids.map((id) => findFullEmail(workspaceId, id)));
  const full = (head: EmailHead | null) => messages.find((message) => message?.head.id === head?.id) ?? null;
  return { answered: full(newest.answered), inbound: full(newest.inbound) };
}

/** What a new message of the thread answers: its newest message that was or will be sent now. */
export async function continueThread(workspaceId: WorkspaceId, thread: Thread): Promise<ConversationContext> {
  const { answered: newest } = await newestOfThread(workspaceId, thread.id, { answered: isAnswerable });
  const answered = newest && (await findFullEmail(workspaceId, newest.id));
  return {
    thread,
    answered: answered && { messageId: answered.head.messageId, references: referencesAfter(answered) },
  };
}

function answeredOf({ head, content }: FullEmail): RepliedMessage {
  return { from: head.from, replyTo: content.replyTo, to: content.to ?? head.to, cc: content.cc };
}
