/** Reads of the search of version 1: threads of a workspace, and threads with emails of a status, each up to a bound. */
import type { EmailHead, EmailStatus } from '../../core/emails/email.ts';
import { emailStatuses } from '../../core/emails/email.ts';
import type { EmailId, SpaceId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import type { SearchedThread } from '../../core/threads/thread-search.ts';
import { addressField } from '../emails/email-heads.ts';
import { codec, id, list, nullable, number, oneOf, sortKey, text } from '../table/codec.ts';
import * as keys from '../table/keys.ts';
import { partsOf } from '../table/paging.ts';
import { findDeletedSpaces, isDeleted } from '../workspaces/deleted-spaces.ts';
import { correspondenceField } from './threads.ts';

type StoredSearchedThread = SearchedThread & { readonly spaceId: SpaceId | null };

const searchedThreadCodec = codec<StoredSearchedThread>('thread', {
  id: sortKey(id('thr')),
  spaceId: nullable(id('spc')),
  subject: text,
  participants: list(addressField),
  createdAt: number,
  lastMessageAt: number,
  correspondence: correspondenceField,
});
const searchedAttributes = 'pk, sk, spaceId, subject, participants, createdAt, lastMessageAt, correspondence';
/** Threads that one query looks at: about 1 MB. */
const threadsAtOnce = 2000;

/**
 * Passes the newest threads of a workspace to `visit`, newest first, up to 1 MB at a time: only what `visit` keeps
 * stays in memory.
 *
 * @param range.before only threads with ids before this one; likewise `after`
 * @param max threads that are read at most
 */
export async function visitThreads(
  workspaceId: WorkspaceId,
  range: { readonly after: ThreadId; readonly before: ThreadId },
  max: number,
  visit: (thread: SearchedThread) => void,
): Promise<void> {
  const deleted = await findDeletedSpaces(workspaceId);
  const input = { pk: keys.threads(workspaceId), order: 'newest first', after: null, range } as const;
  let read = 0;
  for await (const { items } of partsOf(input, threadsAtOnce, { ProjectionExpression: searchedAttributes })) {
    for (const item of items.slice(0, max - read)) {
      const thread = searchedThreadCodec.decode(item);
      if (!isDeleted(deleted, thread.spaceId)) visit(thread);
    }
    read += items.length;
    if (read >= max) return;
  }
}

/** Heads that one query looks at. */
const headsAtOnce = 1000;

type MatchingHead = Pick<EmailHead, 'threadId' | 'status'> & { readonly id: EmailId };
const matchingHeadCodec = codec<MatchingHead>('email', {
  id: sortKey(id('eml')),
  threadId: id('thr'),
  status: oneOf(emailStatuses),
});

/**
 * The emails in one of these statuses, newest first, among the newest `max` of the workspace; where it is spread, about so many.
 *
 * @returns ids only: the memory that they take does not depend on their content
 */
export async function findEmailsInStatus(
  workspaceId: WorkspaceId,
  statuses: readonly EmailStatus[],
  max: number,
): Promise<MatchingHead[]> {
  const found: MatchingHead[] = [];
  const names = statuses.map((_, at) => `:status${at}`);
  const input = { pk: keys.emails(workspaceId), order: 'newest first', after: null } as const;
  const selection = {
    FilterExpression: `#status IN (${names.join(', ')})`,
    ProjectionExpression: 'pk, sk, threadId, #status',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: Object.fromEntries(statuses.map((status, at) => [`:status${at}`, status])),
  };
  let all = 0;
  for await (const { items, looked } of partsOf(input, headsAtOnce, selection)) {
    found.push(...items.map(matchingHeadCodec.decode));
    all += looked;
    if (all >= max) break;
  }
  return found;
}
