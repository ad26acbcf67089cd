/** The conversation that a send of version 1 names: by thread, by the email that it answers, or by References. */
import type { FullEmail } from '../../core/emails/email.ts';
import type { SpaceId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import { Problem } from '../../core/problems.ts';
import type { Thread } from '../../core/threads/thread.ts';
import { candidateIds } from '../../mail/threading/cited-ids.ts';
import { listDraftsOfThread } from '../../storage/emails/drafts.ts';
import { findFullEmail } from '../../storage/emails/emails.ts';
import { findThreadsByMessageId } from '../../storage/emails/message-ids.ts';
import { findThread } from '../../storage/threads/threads.ts';
import { type ConversationContext, contextOf } from '../sending/outgoing-email.ts';
import { continueThread } from './continue-thread.ts';

export interface Citation {
  readonly threadId: ThreadId | null;
  /** Message-IDs with angle brackets. */
  readonly inReplyTo: string | null;
  /** Oldest first. */
  readonly references: readonly string[];
}

/**
 * The conversation of a send; null for a new one. A named thread counts before the one of a cited email; an email of
 * another space is not found by its Message-ID.
 *
 * @param spaceId of the sender
 * @throws Problem thread_not_found
 */
export async function findConversation(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  { threadId, ...cited }: Citation,
): Promise<ConversationContext | null> {
  const isCiting = cited.inReplyTo !== null || cited.references.length > 0;
  if (threadId === null && !isCiting) return null;
  const named = threadId && (await findThread(workspaceId, threadId));
  if (threadId && !named) await checkReserved(workspaceId, threadId);
  if (named && !isCiting) return await continueThread(workspaceId, named);
  const found = await findCited(workspaceId, spaceId, cited);
  // A thread of its own, where the client names one that only drafts have so far.
  const thread = named ?? (threadId ? null : found.thread);
  return {
    thread,
    ...(threadId && { newThreadId: threadId }),
    answered: isCiting ? answeredBy(cited, found.email) : null,
  };
}

/** A thread that begins with a draft has its id before it exists. */
async function checkReserved(workspaceId: WorkspaceId, threadId: ThreadId): Promise<void> {
  if ((await listDraftsOfThread(workspaceId, threadId)).length > 0) return;
  throw new Problem('thread_not_found', 'The thread does not exist.');
}

type Cited = Omit<Citation, 'threadId'>;

interface Found {
  readonly email: FullEmail | null;
  readonly thread: Thread | null;
}

async function findCited(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  { inReplyTo, references }: Cited,
): Promise<Found> {
  const ids = candidateIds({ inReplyTo: inReplyTo === null ? [] : [inReplyTo], references });
  const known = await findThreadsByMessageId(workspaceId, spaceId, ids);
  const emailId = inReplyTo === null ? null : known.get(inReplyTo)?.emailId;
  const first = ids.map((id) => known.get(id)).find((entry) => entry && !entry.isMissing);
  const [email, thread] = await Promise.all([
    emailId ? findFullEmail(workspaceId, emailId) : null,
    first ? findThread(workspaceId, first.threadId) : null,
  ]);
  return { email, thread };
}

/** A known email is cited by the ids that its recipients saw; References of the client count before its own. */
function answeredBy({ inReplyTo, references }: Cited, email: FullEmail | null) {
  const known = email && contextOf(null, email).answered;
  const messageId = known?.messageId ?? inReplyTo ?? references.at(-1);
  if (messageId === undefined) return null;
  const chain = references.length > 0 ? [...references] : [...(known?.references ?? [])];
  return { messageId, references: [...new Set([...chain, messageId])] };
}
