/** Defaults of a reply (docs/concepts/threads.md#reply). */

import type { FullEmail } from '../../core/emails/email.ts';
import type { EmailId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import { Problem } from '../../core/problems.ts';
import type { Sender } from '../../core/sending/sender.ts';
import type { Thread } from '../../core/threads/thread.ts';
import { allDone } from '../../core/work/all-done.ts';
import type { Address } from '../../mail/addresses/addresses.ts';
import { nobody, type ReplyRecipients } from '../../mail/threading/reply-recipients.ts';
import { replySubject } from '../../mail/threading/subject.ts';
import { listNewestMessages } from '../../storage/emails/email-heads.ts';
import { findFullEmail } from '../../storage/emails/emails.ts';
import { getThread } from '../reading/get-thread.ts';
import { type ConversationContext, contextOf } from '../sending/outgoing-email.ts';
import { resolveSender } from '../sending/resolve-sender.ts';
import { isAnswerable } from './continue-thread.ts';
import { findDefaultRecipients, type RepliedConversation } from './default-recipients.ts';
import { ownAddresses } from './own-addresses.ts';

export interface PreparedReply {
  readonly from: Address;
  readonly sender: Sender;
  /** The default recipients; nobody where the request names `to`. */
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly subject: string;
  readonly continued: ConversationContext;
}

/** What a request says about its reply. */
interface GivenReply {
  /** null: the thread's mailbox. */
  readonly from: Address | null;
  readonly replyAll: boolean;
  /** Whether the request names `to`. */
  readonly hasRecipients: boolean;
}

/**
 * Reads the message that a reply answers, its recipients and its sender.
 *
 * @throws Problem thread_not_found, thread_empty, no_recipients, sender_unknown, domain_unverified, mailbox_inactive
 */
export async function prepareReply(
  workspaceId: WorkspaceId,
  threadId: ThreadId,
  given: GivenReply,
): Promise<PreparedReply> {
  const reading = getThread(workspaceId, threadId);
  const [thread, sending, { answered, recipients }] = await allDone([
    reading,
    senderOf(workspaceId, reading, given),
    readConversation(workspaceId, reading, threadId, given),
  ]);
  if (!answered && !given.hasRecipients) {
    throw new Problem(
      'thread_empty',
      'The thread has only scheduled or canceled messages. Name the recipients in `to`.',
    );
  }
  return replyOf(thread, answered, sending, recipientsFor(given, recipients));
}

/**
 * The same for a reply to one email of a thread.
 *
 * @throws Problem not_found, thread_empty (the email was not sent), no_recipients, sender_unknown, domain_unverified,
 *   mailbox_inactive
 */
export async function prepareReplyToEmail(
  workspaceId: WorkspaceId,
  id: EmailId,
  given: GivenReply,
): Promise<PreparedReply> {
  const answered = await findFullEmail(workspaceId, id);
  if (!answered) throw new Problem('not_found', 'The email does not exist.');
  const { head } = answered;
  if (!isAnswerable(head)) {
    throw new Problem('thread_empty', 'The email was not sent, so that it cannot be answered.');
  }
  const reading = getThread(workspaceId, head.threadId);
  const read = async () => answered;
  const [thread, sending, recipients] = await allDone([
    reading,
    senderOf(workspaceId, reading, given),
    inferRecipients(workspaceId, reading, given, { heads: [head], read }),
  ]);
  return replyOf(thread, answered, sending, recipientsFor(given, recipients));
}

type Sending = Pick<PreparedReply, 'from' | 'sender'>;

async function senderOf(
  workspaceId: WorkspaceId,
  reading: Promise<Thread>,
  given: GivenReply,
): Promise<Sending> {
  const from = given.from ?? { name: null, address: (await reading).mailbox };
  return { from, sender: await resolveSender(workspaceId, from) };
}

function replyOf(
  thread: Thread,
  answered: FullEmail | null,
  sending: Sending,
  recipients: ReplyRecipients,
): PreparedReply {
  const continued = contextOf(thread, answered);
  return { ...sending, ...recipients, subject: replySubject(thread.subject), continued };
}

/** The newest message that counts, and the default recipients. */
async function readConversation(
  workspaceId: WorkspaceId,
  reading: Promise<Thread>,
  threadId: ThreadId,
  given: GivenReply,
): Promise<{ readonly answered: FullEmail | null; readonly recipients: ReplyRecipients }> {
  const heads = (await listNewestMessages(workspaceId, threadId)).filter(isAnswerable);
  const messages = new Map<EmailId, Promise<FullEmail | null>>();
  const read = (id: EmailId) => {
    const message = messages.get(id) ?? findFullEmail(workspaceId, id);
    messages.set(id, message);
    return message;
  };
  const [answered, recipients] = await Promise.all([
    heads[0] ? read(heads[0].id) : null,
    inferRecipients(workspaceId, reading, given, { heads, read }),
  ]);
  return { answered, recipients };
}

async function inferRecipients(
  workspaceId: WorkspaceId,
  reading: Promise<Thread>,
  { replyAll, hasRecipients }: GivenReply,
  messages: Pick<RepliedConversation, 'heads' | 'read'>,
): Promise<ReplyRecipients> {
  if (hasRecipients) return nobody;
  const own = (known: readonly string[]) => ownAddresses(workspaceId, known);
  return await findDefaultRecipients({ ...messages, thread: await reading, replyAll, own });
}

/** @throws Problem no_recipients */
function recipientsFor({ hasRecipients }: GivenReply, inferred: ReplyRecipients): ReplyRecipients {
  if (hasRecipients || inferred.to.length > 0) return inferred;
  throw new Problem(
    'no_recipients',
    'Nobody can be inferred to reply to: bounces, mail that failed a check, and addresses of this workspace do not count. ' +
      'Name the recipients in `to`.',
  );
}
