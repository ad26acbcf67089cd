/** Where an arriving message belongs: the thread it joins, if any, and the messages that are to join it there. */
import { parseId, type ThreadId } from '../../core/ids.ts';
import type { Address } from '../../core/mail/addresses.ts';
import type { ParsedMessage } from '../../core/mail/parse-mime.ts';
import type { Thread } from '../../core/thread.ts';
import {
  candidateIds,
  chooseThread,
  missingParents,
  type SubjectCandidate,
  subjectJoinMs,
} from '../../core/threading/join.ts';
import { hasReplyPrefix } from '../../core/threading/subject.ts';
import type { DomainHolder } from '../../storage/domains.ts';
import { findThreadsByMessageId } from '../../storage/message-ids.ts';
import { findThread, recentThreads } from '../../storage/threads.ts';

/** The place of a message in a space, as things are now. */
export interface ThreadResolution {
  /** Null where the message begins a thread. */
  readonly thread: Thread | null;
  /** The thread that waited for this very message, whether it joins it or not. */
  readonly waitingThread: ThreadId | null;
  /** Ids that it cites and nobody has seen: those messages join its thread when they come. */
  readonly missingParents: readonly string[];
}

/** A message on its way into a space. */
export interface ArrivingMessage {
  readonly message: ParsedMessage;
  readonly holder: Pick<DomainHolder, 'workspaceId' | 'spaceId'>;
  /** The envelope recipients that led to the space; the first is the thread's mailbox. */
  readonly recipients: readonly string[];
  /** Unix milliseconds. */
  readonly at: number;
}

/** What is known of threads; the measurement of joining has them in memory. */
export interface ThreadLookups {
  readonly findThreadsByMessageId: typeof findThreadsByMessageId;
  readonly findThread: typeof findThread;
  readonly recentThreads: typeof recentThreads;
}

const stored: ThreadLookups = { findThreadsByMessageId, findThread, recentThreads };

/** Looks up what the message cites and decides (contract, section 4, "Joining"). */
export async function resolveThread(
  { message, holder: { workspaceId, spaceId }, recipients, at }: ArrivingMessage,
  lookUps: ThreadLookups = stored,
): Promise<ThreadResolution> {
  const cited = candidateIds(message);
  const own = message.messageId;
  const known = await lookUps.findThreadsByMessageId(workspaceId, spaceId, [
    ...new Set([...cited, ...(own ? [own] : [])]),
  ]);
  const seen = [...known].filter(([id, { isMissing }]) => !isMissing && cited.includes(id));
  const waiting = [...known].filter(([, { isMissing }]) => isMissing).map(([, { threadId }]) => threadId);
  const token = replyToken(recipients);
  const mailbox = recipients[0] ?? '';
  const isCited = seen.length > 0 || token !== null;
  const isAlike = !isCited && hasReplyPrefix(message.subject);
  const [tokenThread, waitingThreads, alike] = await Promise.all([
    token && lookUps.findThread(workspaceId, token),
    Promise.all([...new Set(isCited ? [] : waiting)].map((id) => lookUps.findThread(workspaceId, id))),
    isAlike ? lookUps.recentThreads(workspaceId, mailbox, at - subjectJoinMs) : [],
  ]);
  const { threadId } = chooseThread(
    {
      spaceId,
      inReplyTo: message.inReplyTo,
      references: message.references,
      subject: message.subject,
      participants: addressesOfMessage(message).map(({ address }) => address),
      mailbox,
      receivedAtMs: at,
    },
    {
      byMessageId: new Map(seen.map(([id, { threadId: thread }]) => [id, { threadId: thread, spaceId }])),
      replyToken: tokenThread && { threadId: tokenThread.id, spaceId: tokenThread.spaceId },
      waiting: waitingThreads.flatMap((thread) => (thread ? [candidate(thread)] : [])),
      bySubject: alike.map(candidate),
    },
  );
  const ownEntry = own === null ? undefined : known.get(own);
  return {
    thread: threadId && (await lookUps.findThread(workspaceId, threadId)),
    waitingThread: ownEntry?.isMissing ? ownEntry.threadId : null,
    missingParents: missingParents(message, (id) => known.has(id)),
  };
}

/** The people of a message, its author first. */
export function addressesOfMessage(message: Pick<ParsedMessage, 'from' | 'to' | 'cc'>): Address[] {
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
