/** Reads of the search of version 1: threads of a workspace, and threads with emails of a status, each up to a bound. */
import type { EmailHead, EmailStatus } from '../../core/emails/email.ts';
import { emailStatuses } from '../../core/emails/email.ts';
import type { EmailId, SpaceId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import type { SearchedThread } from '../../core/threads/thread-search.ts';
import { addressField } from '../emails/email-heads.ts';
import { codec, id, list, nullable, number, oneOf, sortKey, text } from '../table/codec.ts';
import * as keys from '../table/keys.ts';
import { query } from '../table/table.ts';
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

/**
 * Passes the newest threads of a workspace to `visit`, newest first, a page of 1 MB at a time: only what `visit` keeps
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
  let start: Record<string, unknown> | null = null;
  for (let read = 0; read < max; ) {
    const page: Awaited<ReturnType<typeof query>> = await query({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :after AND :before',
      ExpressionAttributeValues: {
        ':pk': keys.threads(workspaceId),
        ':after': range.after,
        ':before': range.before,
      },
      ProjectionExpression: searchedAttributes,
      ScanIndexForward: false,
      Limit: max - read,
      ...(start && { ExclusiveStartKey: start }),
    });
    for (const item of page.items) {
      const thread = searchedThreadCodec.decode(item);
      if (!isDeleted(deleted, thread.spaceId)) visit(thread);
    }
    read += page.items.length;
    start = page.next;
    if (!start) return;
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
 * The emails in one of these statuses, newest first, among the newest `max` of the workspace.
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
  let start: Record<string, unknown> | null = null;
  // A query may look at fewer than its limit, never at more.
  for (let looked = 0; looked < max; looked += headsAtOnce) {
    const page: Awaited<ReturnType<typeof query>> = await query({
      KeyConditionExpression: 'pk = :pk',
      FilterExpression: `#status IN (${names.join(', ')})`,
      ProjectionExpression: 'pk, sk, threadId, #status',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':pk': keys.emails(workspaceId),
        ...Object.fromEntries(statuses.map((status, at) => [`:status${at}`, status])),
      },
      ScanIndexForward: false,
      Limit: headsAtOnce,
      ...(start && { ExclusiveStartKey: start }),
    });
    found.push(...page.items.map(matchingHeadCodec.decode));
    start = page.next;
    if (!start) break;
  }
  return found;
}
