/** Where an arriving message belongs: the thread it joins, if any, and the messages that are to join it there. */
import { parseId, type ThreadId } from '../domain/ids.ts';
import type { Address } from '../domain/mail/addresses.ts';
import type { ParsedMessage } from '../domain/mail/parse.ts';
import type { Thread } from '../domain/thread.ts';
import {
  awaitedIds,
  candidateIds,
  joinThread,
  type SubjectCandidate,
  subjectJoinMs,
} from '../domain/threading/join.ts';
import { hasReplyPrefix } from '../domain/threading/subject.ts';
import type { Holder } from '../storage/domains.ts';
import { findThreadsByMessageId } from '../storage/message-ids.ts';
import { findThread, recentThreads } from '../storage/threads.ts';

/** The place of a message in a space, as things are now. */
export interface Place {
  /** Null where the message begins a thread. */
  readonly thread: Thread | null;
  /** The thread that waited for this very message, whether it joins it or not. */
  readonly awaitedBy: ThreadId | null;
  /** Ids that it cites and nobody has seen: those messages join its thread when they come. */
  readonly awaits: readonly string[];
}

/** A message on its way into a space. */
export interface Arriving {
  readonly message: ParsedMessage;
  readonly holder: Pick<Holder, 'workspaceId' | 'spaceId'>;
  /** The envelope recipients that led to the space; the first is the thread's mailbox. */
  readonly recipients: readonly string[];
  /** Unix milliseconds. */
  readonly at: number;
}

/** What is known of threads; the measurement of joining has them in memory. */
export interface LookUps {
  readonly findThreadsByMessageId: typeof findThreadsByMessageId;
  readonly findThread: typeof findThread;
  readonly recentThreads: typeof recentThreads;
}

const stored: LookUps = { findThreadsByMessageId, findThread, recentThreads };

/** Looks up what the message cites and decides (contract, section 4, "Joining"). */
export async function findPlace(
  { message, holder: { workspaceId, spaceId }, recipients, at }: Arriving,
  lookUps: LookUps = stored,
): Promise<Place> {
  const cited = candidateIds(message);
  const own = message.messageId;
  const known = await lookUps.findThreadsByMessageId(workspaceId, spaceId, [
    ...new Set([...cited, ...(own ? [own] : [])]),
  ]);
  const seen = [...known].filter(([id, { isAwaited }]) => !isAwaited && cited.includes(id));
  const waiting = [...known].filter(([, { isAwaited }]) => isAwaited).map(([, { threadId }]) => threadId);
  const token = replyToken(recipients);
  const mailbox = recipients[0] ?? '';
  const isCited = seen.length > 0 || token !== null;
  const isAlike = !isCited && hasReplyPrefix(message.subject);
  const [tokenThread, awaiting, alike] = await Promise.all([
    token && lookUps.findThread(workspaceId, token),
    Promise.all([...new Set(isCited ? [] : waiting)].map((id) => lookUps.findThread(workspaceId, id))),
    isAlike ? lookUps.recentThreads(workspaceId, mailbox, at - subjectJoinMs) : [],
  ]);
  const { threadId } = joinThread(
    {
      spaceId,
      inReplyTo: message.inReplyTo,
      references: message.references,
      subject: message.subject,
      participants: peopleOf(message).map(({ address }) => address),
      mailbox,
      receivedAtMs: at,
    },
    {
      byMessageId: new Map(seen.map(([id, { threadId: thread }]) => [id, { threadId: thread, spaceId }])),
      replyToken: tokenThread && { threadId: tokenThread.id, spaceId: tokenThread.spaceId },
      awaiting: awaiting.flatMap((thread) => (thread ? [candidate(thread)] : [])),
      bySubject: alike.map(candidate),
    },
  );
  const awaitedBy = own === null ? undefined : known.get(own);
  return {
    thread: threadId && (await lookUps.findThread(workspaceId, threadId)),
    awaitedBy: awaitedBy?.isAwaited ? awaitedBy.threadId : null,
    awaits: awaitedIds(message, (id) => known.has(id)),
  };
}

/** The people of a message, its author first. */
export function peopleOf(message: Pick<ParsedMessage, 'from' | 'to' | 'cc'>): Address[] {
  return [...(message.from ? [message.from] : []), ...message.to, ...message.cc];
}

/** A thread id in a recipient's plus-address: the way back that survives every mail client. */
function replyToken(recipients: readonly string[]): ThreadId | null {
  for (const address of recipients) {
    const tag = /\+(thr_[0-9a-f]{32})@/.exec(address)?.[1];
    const id = tag && parseId('thr', tag);
    if (id) return id;
  }
  return null;
}

function candidate(thread: Thread): SubjectCandidate {
  return {
    threadId: thread.id,
    spaceId: thread.spaceId,
    subject: thread.subject,
    mailbox: thread.mailbox,
    participants: thread.participants.map(({ address }) => address),
    lastMessageAtMs: thread.lastMessageAt,
  };
}
