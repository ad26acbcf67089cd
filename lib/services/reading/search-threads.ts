/** The search of version 1 over threads (docs/concepts/v1.md#search). */
import { now } from '../../adapters/clock.ts';
import type { Draft } from '../../core/emails/draft.ts';
import { type EmailStatus, isRefusedBySes } from '../../core/emails/email.ts';
import { composeId, type EmailId, type ThreadId, type WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { type DraftThread, threadOfDrafts } from '../../core/threads/draft-threads.ts';
import {
  type FoundThread,
  foundThread,
  type SearchedThread,
  searchMatcher,
  searchPage,
  type ThreadOrder,
  type ThreadSearchFilter,
} from '../../core/threads/thread-search.ts';
import { each } from '../../core/work/all-done.ts';
import { listNewestDrafts } from '../../storage/emails/drafts.ts';
import { findProgress } from '../../storage/emails/emails.ts';
import { findEmailsInStatus, visitThreads } from '../../storage/threads/thread-search.ts';
import { findThreads } from '../../storage/threads/threads.ts';

/** The emails that a thread must have one of. */
export interface StatusFilter {
  readonly statuses: readonly EmailStatus[];
  /** Of failed emails: only those that SES refused, or only others; null: all. */
  readonly isRefused: boolean | null;
}

export interface ThreadSearch {
  readonly filter: ThreadSearchFilter;
  /** null: any status. */
  readonly status: StatusFilter | 'draft' | null;
  readonly order: ThreadOrder;
  readonly limit: number;
  readonly offset: number;
}

export interface SearchResult {
  /** The threads of the page. */
  readonly threads: readonly DraftThread[];
  /** Of all threads that match, among those that were read. */
  readonly total: number;
}

/** Searches the newest `limits.v1SearchedThreads` threads of every space. */
export async function searchThreads(workspaceId: WorkspaceId, search: ThreadSearch): Promise<SearchResult> {
  const { filter, status, order, limit, offset } = search;
  const drafts = status === 'draft' ? await listNewestDrafts(workspaceId, limits.v1SearchedDrafts) : [];
  const wanted = await threadsInStatus(workspaceId, status, drafts);
  const matches = searchMatcher(filter, now());
  const found: FoundThread[] = [];
  const visit = (thread: SearchedThread) => {
    if ((wanted === null || wanted.has(thread.id)) && matches(thread)) found.push(foundThread(thread, order));
  };
  await visitThreads(workspaceId, idRange(filter), limits.v1SearchedThreads, visit);
  const begun = (await threadsOfDraftsAlone(workspaceId, drafts)).filter(matches);
  found.push(...begun.map((thread) => foundThread(thread, order)));
  const page = searchPage(found, order, { limit, offset });
  return { threads: await readPage(workspaceId, page, begun), total: found.length };
}

/** Creation times and ids come from two readings of the clock. */
const idSlackMs = 60_000;

/** The ids of threads that were created in the range of a filter, and some around it. */
function idRange({ createdAfter, createdBefore }: ThreadSearchFilter) {
  const latest = 2 ** 48 - 1;
  const from = Math.max((createdAfter ?? 0) - idSlackMs, 0);
  const to = Math.min(Math.max((createdBefore ?? latest) + idSlackMs, 0), latest);
  return {
    after: composeId('thr', Math.min(from, latest), new Uint8Array(10)),
    before: composeId('thr', to, new Uint8Array(10).fill(0xff)),
  };
}

async function threadsInStatus(
  workspaceId: WorkspaceId,
  status: ThreadSearch['status'],
  drafts: readonly Draft[],
): Promise<ReadonlySet<ThreadId> | null> {
  if (status === null) return null;
  if (status === 'draft') return new Set(drafts.map(({ threadId }) => threadId));
  if (status.statuses.length === 0) return new Set();
  const emails = await findEmailsInStatus(workspaceId, status.statuses, limits.v1SearchedEmails);
  if (status.isRefused === null) return new Set(emails.map(({ threadId }) => threadId));
  const failed = emails.slice(0, limits.v1SearchedFailures);
  const refused = await refusedAmong(
    workspaceId,
    failed.map(({ id }) => id),
  );
  const kept = failed.filter(({ id }) => refused.has(id) === status.isRefused);
  return new Set(kept.map(({ threadId }) => threadId));
}

/** Histories read at once. */
const historiesAtOnce = 20;

async function refusedAmong(workspaceId: WorkspaceId, ids: readonly EmailId[]): Promise<Set<EmailId>> {
  const refused = new Set<EmailId>();
  await each(ids, historiesAtOnce, async (id) => {
    const { history = [] } = (await findProgress(workspaceId, id)) ?? {};
    if (isRefusedBySes(history)) refused.add(id);
  });
  return refused;
}

/** Threads that no email has been sent in. @param drafts newest first */
async function threadsOfDraftsAlone(
  workspaceId: WorkspaceId,
  drafts: readonly Draft[],
): Promise<DraftThread[]> {
  const byThread = Map.groupBy(drafts.toReversed(), ({ threadId }) => threadId);
  for (const { id } of await findThreads(workspaceId, [...byThread.keys()])) byThread.delete(id);
  return [...byThread.values()].flatMap(([first, ...others]) =>
    first ? [threadOfDrafts([first, ...others])] : [],
  );
}

async function readPage(
  workspaceId: WorkspaceId,
  page: readonly FoundThread[],
  begun: readonly DraftThread[],
): Promise<DraftThread[]> {
  const ids = page.map(({ id }) => id);
  const threads: DraftThread[] = [...(await findThreads(workspaceId, ids)), ...begun];
  const byId = new Map(threads.map((thread) => [thread.id, thread]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
