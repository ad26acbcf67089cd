/** Thread resolution: the thread that an arriving message joins (docs/concepts/threads.md#joining). */

import { ownEmailId } from '../../core/emails/message-ids.ts';
import { parseId, type ThreadId } from '../../core/ids.ts';
import { mailboxesOf, otherMailboxesMax, type Thread } from '../../core/threads/thread.ts';
import type { MailScope } from '../../core/workspaces/space.ts';
import type { Address } from '../../mail/addresses/addresses.ts';
import type { ParsedMessage } from '../../mail/message/parse-mime.ts';
import { candidateIds } from '../../mail/threading/cited-ids.ts';
import { chooseThread, missingParents, type SubjectCandidate } from '../../mail/threading/join.ts';
import { isAnswerSubject } from '../../mail/threading/subject.ts';
import type { ArrivalLookup } from '../../storage/emails/arrivals.ts';
import { findThreads, findThreadsBySubject } from '../../storage/threads/threads.ts';

export interface ThreadResolution {
  /** null: the message starts a thread. */
  readonly thread: Thread | null;
  /** The thread that waits for this message; the message may join another. */
  readonly waitingThread: ThreadId | null;
  /** Another message has the Message-ID, or the message has none. */
  readonly isIdTaken: boolean;
  /** Cited ids of messages that have not arrived; they will join this thread. */
  readonly missingParents: readonly string[];
}

/** A message that arrives in a space. */
export interface ArrivingMessage {
  readonly message: ParsedMessage;
  /** What its Message-ID and those that it cites lead to. */
  readonly known: ArrivalLookup['messageIds'];
  readonly scope: MailScope;
  /** Its envelope recipients in the space; the first is the mailbox of a new thread. */
  readonly recipients: readonly string[];
  /** Unix milliseconds. */
  readonly at: number;
  /** Failed a check: it joins by Message-ID only, never by reply token or subject. */
  readonly suspicious: boolean;
  /** The thread of the provider's conversation, for a message of a mailbox. */
  readonly conversation?: ThreadId | null;
}

/** Lookups of threads; the test of generated conversations (`test/mail/threading`) has them in memory. */
export interface ThreadLookups {
  readonly findThreads: typeof findThreads;
  readonly findThreadsBySubject: typeof findThreadsBySubject;
}

/** Recipients whose threads are searched for the subject. */
const mailboxesMax = 1 + otherMailboxesMax;

const stored: ThreadLookups = { findThreads, findThreadsBySubject };

/** Chooses the thread of a message. At most two lookups one after the other. */
export async function resolveThread(
  {
    message,
    known,
    scope: { workspaceId, spaceId },
    recipients,
    at,
    suspicious,
    conversation = null,
  }: ArrivingMessage,
  lookups: ThreadLookups = stored,
): Promise<ThreadResolution> {
  const cited = candidateIds(message);
  const own = message.messageId;
  const seen = [...known].filter(([id, { isMissing }]) => !isMissing && cited.includes(id));
  const waiting = [...known].filter(([, { isMissing }]) => isMissing).map(([, { threadId }]) => threadId);
  const token = suspicious ? null : threadOfReplyToken(recipients);
  const mailboxes = recipients.slice(0, mailboxesMax);
  const isCited = seen.length > 0 || token !== null;
  const named = token !== null ? [token] : isCited ? [] : [...new Set(waiting)];
  const isAlike = !suspicious && !isCited && conversation === null && isAnswerSubject(message.subject);
  const [byId, ...alike] = await Promise.all([
    lookups.findThreads(workspaceId, named),
    ...(isAlike ? mailboxes : []).map((mailbox) =>
      lookups.findThreadsBySubject(workspaceId, { spaceId, mailbox, subject: message.subject }),
    ),
  ]);
  const [tokenThread = null] = token === null ? [] : byId;
  const { threadId } = chooseThread(
    {
      spaceId,
      inReplyTo: message.inReplyTo,
      references: message.references,
      subject: message.subject,
      participants: addressesOfMessage(message).map(({ address }) => address),
      mailboxes,
      receivedAtMs: at,
    },
    {
      byMessageId: new Map(seen.map(([id, { threadId: thread }]) => [id, { threadId: thread, spaceId }])),
      replyToken: tokenThread && { threadId: tokenThread.id, spaceId: tokenThread.spaceId },
      conversation: conversation && { threadId: conversation, spaceId },
      waiting: token === null ? byId.map(candidate) : [],
      bySubject: alike.flat().map(candidate),
    },
  );
  const ownEntry = own === null ? undefined : known.get(own);
  // An id of our own form is not looked up in the index.
  const isIdTaken = own === null || ownEmailId(own) !== null || ownEntry?.isMissing === false;
  const read = [...byId, ...alike.flat()].find(({ id }) => id === threadId);
  const [thread = null] =
    read || threadId === null ? [read] : await lookups.findThreads(workspaceId, [threadId]);
  return {
    thread,
    waitingThread: ownEntry?.isMissing ? ownEntry.threadId : null,
    isIdTaken,
    missingParents: missingParents(message, (id) => known.has(id)),
  };
}

/** Author and recipients of a message, the author first. */
export function addressesOfMessage(message: Pick<ParsedMessage, 'from' | 'to' | 'cc'>): Address[] {
  return [...(message.from ? [message.from] : []), ...message.to, ...message.cc];
}

/** The id of a thread as the plus tag of an address. Case does not count: some servers rewrite it, and hexadecimal has none. */
const replyToken = /\+(thr_[0-9a-f]{32})@/i;

/** A recipient without our reply token. */
export function withoutReplyToken(address: string): string {
  return address.replace(replyToken, '@');
}

/** The thread id in a recipient's plus tag, which every mail client preserves. */
function threadOfReplyToken(recipients: readonly string[]): ThreadId | null {
  for (const address of recipients) {
    const tag = replyToken.exec(address)?.[1];
    const id = tag && parseId('thr', tag.toLowerCase());
    if (id) return id;
  }
  return null;
}

function candidate(thread: Thread): SubjectCandidate<ThreadId> {
  return {
    threadId: thread.id,
    spaceId: thread.spaceId,
    subject: thread.subject,
    mailboxes: mailboxesOf(thread),
    participants: thread.participants.map(({ address }) => address),
    lastMessageAtMs: thread.lastMessageAt,
  };
}
