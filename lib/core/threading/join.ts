/** Which conversation an arriving message belongs to (contract, section 4, "Joining"). */
import type { SpaceId, ThreadId } from '../ids.ts';
import { addressKey } from '../mail/addresses.ts';
import { hasReplyPrefix, normalizeSubject } from './subject.ts';

export interface IncomingMessage {
  readonly spaceId: SpaceId | null;
  /** Message-IDs with angle brackets, as in the message. */
  readonly inReplyTo: readonly string[];
  /** Oldest first. */
  readonly references: readonly string[];
  readonly subject: string;
  /** Addresses of sender and recipients; the mailbox may be among them. */
  readonly participants: readonly string[];
  /** The address on our side. */
  readonly mailbox: string;
  readonly receivedAtMs: number;
}

/** A thread that a look-up found, in the workspace of the arrival. */
export interface KnownThread {
  readonly threadId: ThreadId;
  readonly spaceId: SpaceId | null;
}

/** A thread that waits for a message: one of its own cited an id that had not been seen. */
export interface WaitingThread extends KnownThread {
  readonly participants: readonly string[];
}

/** A thread that may be the one by its subject. */
export interface SubjectCandidate extends WaitingThread {
  readonly subject: string;
  readonly mailbox: string;
  readonly lastMessageAtMs: number;
}

export type JoinedBy = 'in-reply-to' | 'references' | 'reply-token' | 'awaited' | 'subject';

export type JoinDecision =
  | { readonly threadId: ThreadId; readonly by: JoinedBy }
  /** A new thread begins. */
  | { readonly threadId: null; readonly by: null };

/** Most ids looked up for one message: a forged header may hold thousands. */
export const candidateIdsMax = 100;
const inReplyToMax = 10;
/** Of a long chain the beginning is kept too: our own id stands there when we began the conversation. */
const chainRootsKept = 20;

/** Of the unseen ids that a message cites, so many are waited for: each costs a write. */
export const missingParentsMax = 10;

/** How long after its last message a thread is still found by its subject. */
export const subjectJoinMs = 30 * 24 * 60 * 60 * 1000;

/** The Message-IDs worth looking up, in order of precedence: In-Reply-To, then References from the last to the first. */
export function candidateIds(message: Pick<IncomingMessage, 'inReplyTo' | 'references'>): string[] {
  return [...new Set([...answered(message), ...chain(message)])];
}

/**
 * The ids to wait for: cited, but not seen so far. The nearest ones, and the one that began the conversation, which
 * every branch of it cites. What has no `@` is no id but what broken programs write into every message.
 *
 * @param isSeen whether an email or a waiting thread is there under the id
 */
export function missingParents(
  message: Pick<IncomingMessage, 'inReplyTo' | 'references'>,
  isSeen: (messageId: string) => boolean,
): string[] {
  const unseen = candidateIds(message).filter((id) => id.includes('@') && !isSeen(id));
  return unseen.length <= missingParentsMax
    ? unseen
    : [...unseen.slice(0, missingParentsMax - 1), ...unseen.slice(-1)];
}

/**
 * Decides by the first that holds: a known id in In-Reply-To; a known id in References, the last first; our reply
 * token in a recipient's address; a thread that waits for this message or for one that it cites, with a participant
 * in common; for a message with a reply prefix, a recent thread of the same mailbox with the same subject and a
 * participant in common. Only threads of the arrival's own space are joined, so that a forged reference leads nowhere.
 *
 * @param known.byMessageId what looking up `candidateIds` found
 * @param known.replyToken the thread of a genuine reply token
 * @param known.awaiting threads that wait for the message or for what it cites, likeliest first
 * @param known.bySubject threads of the mailbox that may have the subject; each is checked here
 */
export function chooseThread(
  arrival: IncomingMessage,
  known: {
    byMessageId: ReadonlyMap<string, KnownThread>;
    replyToken: KnownThread | null;
    awaiting: readonly WaitingThread[];
    bySubject: readonly SubjectCandidate[];
  },
): JoinDecision {
  const isReachable = (thread: KnownThread | null | undefined): thread is KnownThread =>
    thread?.spaceId === arrival.spaceId;
  const firstKnown = (ids: readonly string[]) => ids.map((id) => known.byMessageId.get(id)).find(isReachable);

  const replied = firstKnown(answered(arrival));
  if (replied) return { threadId: replied.threadId, by: 'in-reply-to' };
  const referenced = firstKnown(chain(arrival));
  if (referenced) return { threadId: referenced.threadId, by: 'references' };
  if (isReachable(known.replyToken)) return { threadId: known.replyToken.threadId, by: 'reply-token' };
  const awaiting = known.awaiting.filter(isReachable).find(sharesParticipant(arrival));
  if (awaiting) return { threadId: awaiting.threadId, by: 'awaited' };
  const alike = bySubject(arrival, known.bySubject.filter(isReachable));
  if (alike) return { threadId: alike.threadId, by: 'subject' };
  return { threadId: null, by: null };
}

function bySubject(
  arrival: IncomingMessage,
  candidates: readonly SubjectCandidate[],
): SubjectCandidate | undefined {
  const subject = normalizeSubject(arrival.subject);
  if (!hasReplyPrefix(arrival.subject) || subject === '') return undefined;
  const mailbox = addressKey(arrival.mailbox);
  const isShared = sharesParticipant(arrival);
  return candidates
    .filter(
      (thread) =>
        normalizeSubject(thread.subject) === subject &&
        addressKey(thread.mailbox) === mailbox &&
        arrival.receivedAtMs - thread.lastMessageAtMs <= subjectJoinMs &&
        isShared(thread),
    )
    .toSorted((a, b) => b.lastMessageAtMs - a.lastMessageAtMs)[0];
}

/** Whether somebody other than our mailbox takes part in both: what anybody may write in a header is no proof alone. */
function sharesParticipant({ participants, mailbox }: IncomingMessage): (thread: WaitingThread) => boolean {
  const others = new Set(participants.map(addressKey));
  others.delete(addressKey(mailbox));
  return (thread) => thread.participants.some((address) => others.has(addressKey(address)));
}

function answered({ inReplyTo }: Pick<IncomingMessage, 'inReplyTo'>): string[] {
  return inReplyTo.slice(0, inReplyToMax);
}

function chain({ references }: Pick<IncomingMessage, 'references'>): string[] {
  const most = candidateIdsMax - inReplyToMax;
  const kept =
    references.length <= most
      ? references
      : [...references.slice(0, chainRootsKept), ...references.slice(chainRootsKept - most)];
  return kept.toReversed();
}
