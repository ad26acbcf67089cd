/** The thread that a received message joins (docs/concepts/threads.md). */
import { addressKey } from '../addresses/addresses.ts';
import { type CitingMessage, candidateIds, inReplyToIds, referenceIds } from './cited-ids.ts';
import { isAnswerSubject, isSameSubject, normalizeSubject } from './subject.ts';

export interface IncomingMessage extends CitingMessage {
  /** Only threads of the same space are joined. */
  readonly spaceId: string | null;
  readonly subject: string;
  /** Addresses of sender and recipients; may include the mailboxes. */
  readonly participants: readonly string[];
  /** Our addresses that it was sent to. */
  readonly mailboxes: readonly string[];
  readonly receivedAtMs: number;
}

/** A thread found by a look-up. */
export interface KnownThread<Id extends string = string> {
  readonly threadId: Id;
  readonly spaceId: string | null;
}

/** A thread with a missing parent: one of its messages cited an unknown id. */
export interface WaitingThread<Id extends string = string> extends KnownThread<Id> {
  readonly participants: readonly string[];
  /** Our addresses in the conversation. */
  readonly mailboxes: readonly string[];
}

/** A thread that may match by its subject. */
export interface SubjectCandidate<Id extends string = string> extends WaitingThread<Id> {
  readonly subject: string;
  readonly lastMessageAtMs: number;
}

export type JoinedBy =
  | 'in-reply-to'
  | 'references'
  | 'reply-token'
  | 'conversation'
  | 'missing-parent'
  | 'subject';

export type JoinDecision<Id extends string = string> =
  | { readonly threadId: Id; readonly by: JoinedBy }
  /** The message begins a new thread. */
  | { readonly threadId: null; readonly by: null };

/** Most missing parents recorded for one message; each costs a write. */
export const missingParentsMax = 10;

/** A thread is found by its subject for this long after its last message. */
export const subjectJoinMs = 30 * 24 * 60 * 60 * 1000;

/**
 * The cited ids that are unknown so far: the nearest ones, and the root of the conversation, which every branch cites.
 * Ids without `@` are left out: broken programs write the same one into every message.
 *
 * @param isSeen whether an email or a waiting thread exists for the id
 */
export function missingParents(message: CitingMessage, isSeen: (messageId: string) => boolean): string[] {
  const unseen = candidateIds(message).filter((id) => id.includes('@') && !isSeen(id));
  return unseen.length <= missingParentsMax
    ? unseen
    : [...unseen.slice(0, missingParentsMax - 1), ...unseen.slice(-1)];
}

/**
 * Decides by the first rule that applies: a known id in In-Reply-To; a known id in References, last first; our reply
 * token in a recipient's address; the provider's conversation in a mailbox; a thread that waits for this message or for
 * one that it cites, with a participant in common; for an answer by its subject, a recent thread of the same mailbox with the same subject and a
 * participant in common. Only threads of the message's own space are joined.
 *
 * @param known.byMessageId threads found by `candidateIds`
 * @param known.replyToken thread of a valid reply token
 * @param known.conversation thread of the provider's conversation; null: none, or the message is not of a mailbox
 * @param known.waiting threads that wait for the message or for one that it cites, likeliest first
 * @param known.bySubject threads of the mailboxes that may have the subject; each is checked here
 */
export function chooseThread<Id extends string>(
  message: IncomingMessage,
  known: {
    byMessageId: ReadonlyMap<string, KnownThread<Id>>;
    replyToken: KnownThread<Id> | null;
    conversation?: KnownThread<Id> | null;
    waiting: readonly WaitingThread<Id>[];
    bySubject: readonly SubjectCandidate<Id>[];
  },
): JoinDecision<Id> {
  const isReachable = (thread: KnownThread<Id> | null | undefined): thread is KnownThread<Id> =>
    thread?.spaceId === message.spaceId;
  const firstKnown = (ids: readonly string[]) => ids.map((id) => known.byMessageId.get(id)).find(isReachable);

  const replied = firstKnown(inReplyToIds(message));
  if (replied) return { threadId: replied.threadId, by: 'in-reply-to' };
  const referenced = firstKnown(referenceIds(message));
  if (referenced) return { threadId: referenced.threadId, by: 'references' };
  if (isReachable(known.replyToken)) return { threadId: known.replyToken.threadId, by: 'reply-token' };
  if (isReachable(known.conversation)) return { threadId: known.conversation.threadId, by: 'conversation' };
  const waiting = known.waiting.filter(isReachable).find(sharesParticipant(message));
  if (waiting) return { threadId: waiting.threadId, by: 'missing-parent' };
  const sameSubject = bySubject(message, known.bySubject.filter(isReachable));
  if (sameSubject) return { threadId: sameSubject.threadId, by: 'subject' };
  return { threadId: null, by: null };
}

function bySubject<Id extends string>(
  message: IncomingMessage,
  candidates: readonly SubjectCandidate<Id>[],
): SubjectCandidate<Id> | undefined {
  if (!isAnswerSubject(message.subject)) return undefined;
  const mailboxes = new Set(message.mailboxes.map(addressKey));
  const isShared = sharesParticipant(message);
  const alike = candidates
    .filter(
      (thread) =>
        isSameSubject(message.subject, thread.subject) &&
        thread.mailboxes.some((address) => mailboxes.has(addressKey(address))) &&
        message.receivedAtMs - thread.lastMessageAtMs <= subjectJoinMs &&
        isShared(thread),
    )
    .toSorted((a, b) => b.lastMessageAtMs - a.lastMessageAtMs);
  const subject = normalizeSubject(message.subject);
  return alike.find((thread) => normalizeSubject(thread.subject) === subject) ?? alike[0];
}

/** Whether a participant other than our mailboxes is in both: an id or a subject alone could be forged. */
function sharesParticipant({ participants, mailboxes }: IncomingMessage): (thread: WaitingThread) => boolean {
  const theirs = new Set(participants.map(addressKey));
  return (thread) => {
    const ours = new Set([...mailboxes, ...thread.mailboxes].map(addressKey));
    return thread.participants.map(addressKey).some((address) => theirs.has(address) && !ours.has(address));
  };
}
