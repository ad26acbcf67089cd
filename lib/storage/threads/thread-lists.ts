/** Lists of threads by activity (docs/decisions/0020-activity-entries.md), of all or of those that a filter names. */

import type { SpaceId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import {
  type ActivityPosition,
  activityEntryAt,
  isClaimedAt,
  mailboxesOf,
  type Thread,
  type ThreadList,
} from '../../core/threads/thread.ts';
import { id as idField } from '../table/codec.ts';
import * as keys from '../table/keys.ts';
import { newPage } from '../table/paging.ts';
import { getMany } from '../table/reads.ts';
import { type QueryPage, query, queryIndex } from '../table/table.ts';
import { withoutDeleted } from '../workspaces/deleted-spaces.ts';
import { decodeThread } from './threads.ts';

export interface ThreadFilter {
  /** undefined: every space. */
  readonly space?: SpaceId | null | undefined;
  readonly mailbox?: string | undefined;
  /** Threads with all of them. */
  readonly labels?: readonly string[] | undefined;
  readonly read?: boolean | undefined;
  /** Whether somebody has a claim that has not expired. */
  readonly claimed?: boolean | undefined;
  /** The `query` parameter as a predicate. */
  readonly matches?: ((thread: Thread) => boolean) | undefined;
}

/** Entries that one request reads at most to fill a page. */
const entriesReadMax = 2000;
/** Entries read at once: their threads are one BatchGetItem. */
const entriesAtOnce = 100;

type ThreadPaging = Paging<ActivityPosition> & { readonly now: number };

/**
 * A page of threads, most recently active first, in the order at the time when the listing began. A page may be short,
 * even empty, before the last one: the work of one request is bounded. The caller checks that a given space exists.
 */
export async function listThreads(
  workspaceId: WorkspaceId,
  filter: ThreadFilter,
  paging: ThreadPaging,
): Promise<Page<Thread, ActivityPosition>> {
  if (filter.space !== undefined) return await listByActivity(workspaceId, filter, paging);
  const { matches = () => true } = filter;
  return await withoutDeleted(workspaceId, (isKept) => {
    const kept = isKept && { ...filter, matches: (thread: Thread) => isKept(thread) && matches(thread) };
    return listByActivity(workspaceId, kept ?? filter, paging);
  });
}

async function listByActivity(
  workspaceId: WorkspaceId,
  filter: ThreadFilter,
  paging: ThreadPaging,
): Promise<Page<Thread, ActivityPosition>> {
  const { items: threads, add } = newPage<Thread>(paging.limit);
  let began = paging.after?.began ?? null;
  let after = paging.after?.after ?? null;
  const index = await sparsest(indexesOf(workspaceId, filter), after);
  for (let read = 0; read < entriesReadMax; ) {
    // The missing ones, and one more to know whether there is a next page; more, the more entries were passed over.
    const wanted = paging.limit + 1 - threads.length + (read - threads.length);
    const { items, next } = await queryEntries(index, after, Math.min(entriesAtOnce, wanted));
    const entries = items.map(({ sk }) => activityEntry(sk));
    // Clocks of functions differ by milliseconds: the newest entry is part of the listing.
    began ??= Math.max(paging.now, entries[0]?.at ?? 0);
    const found = await threadsOf(workspaceId, entries, began);
    for (const [position, entry] of entries.entries()) {
      const thread = found[position];
      const isListed = thread && passesFilter(thread, filter, paging.now);
      if (isListed && !add(thread)) return { items: threads, next: { began, after: after ?? '' } };
      after = entry.sk;
    }
    if (!next) return { items: threads, next: null };
    read += entries.length;
  }
  return { items: threads, next: { began: began ?? paging.now, after: after ?? '' } };
}

/** The threads of entries; null where a thread had another entry when the listing began. */
async function threadsOf(
  workspaceId: WorkspaceId,
  entries: readonly ReturnType<typeof activityEntry>[],
  began: number,
): Promise<(Thread | null)[]> {
  const items = await getMany(entries.map(({ id }) => keys.threadKey(workspaceId, id)));
  return entries.map(({ at }, position) => {
    const item = items[position];
    const thread = item ? decodeThread(item) : null;
    return thread && activityEntryAt(thread, began) === at ? thread : null;
  });
}

/** A partition of activity entries in the table or in an index; an index may lag behind the table. */
interface EntryIndex {
  readonly in: 'table' | 'GSI1' | 'GSI2';
  readonly partition: string;
}

type EntryIndexes = readonly [EntryIndex, ...EntryIndex[]];

/** The partitions each of which has the entries of all threads that the filter accepts; those outside of spaces are among all. */
function indexesOf(workspaceId: WorkspaceId, filter: ThreadFilter): EntryIndexes {
  const { space, mailbox } = filter;
  const ofLists = listsOf(filter).map(
    (list): EntryIndex =>
      space
        ? { in: 'GSI1', partition: keys.activityOfListInSpace(workspaceId, space, list) }
        : { in: 'table', partition: keys.activityOfList(workspaceId, list) },
  );
  const [first, ...others] = [
    ...ofLists,
    ...(mailbox ? [{ in: 'GSI2', partition: keys.activityOfMailbox(workspaceId, mailbox) } as const] : []),
  ];
  if (first) return [first, ...others];
  if (space) return [{ in: 'GSI1', partition: keys.activityOfSpace(workspaceId, space) }];
  return [{ in: 'table', partition: keys.activity(workspaceId) }];
}

function listsOf({ labels = [], read, claimed }: ThreadFilter): ThreadList[] {
  return [
    ...(claimed ? (['claimed'] as const) : []),
    ...labels.map((label): ThreadList => `label:${label}`),
    ...(read === false ? (['unread'] as const) : []),
  ];
}

/** The partition with the fewest entries from here on: of entries of the same number, those that go back furthest. */
async function sparsest(indexes: EntryIndexes, after: string | null): Promise<EntryIndex> {
  const [first, ...others] = indexes;
  if (others.length === 0) return first;
  const probed = await Promise.all(
    indexes.map(async (index) => {
      const { items, next } = await queryEntries(index, after, entriesAtOnce);
      return { index, reaches: next ? (items.at(-1)?.sk ?? '') : '' };
    }),
  );
  return probed.reduce((one, other) => (other.reaches < one.reaches ? other : one)).index;
}

const attributes = {
  table: { pk: 'pk', sk: 'sk' },
  GSI1: { pk: 'g1pk', sk: 'g1sk' },
  GSI2: { pk: 'g2pk', sk: 'g2sk' },
} as const;

async function queryEntries(index: EntryIndex, after: string | null, limit: number): Promise<QueryPage> {
  const { pk, sk } = attributes[index.in];
  const request = {
    KeyConditionExpression: `${pk} = :pk${after ? ` AND ${sk} < :after` : ''}`,
    ExpressionAttributeValues: { ':pk': index.partition, ...(after && { ':after': after }) },
    ScanIndexForward: false,
    Limit: limit,
  };
  return await (index.in === 'table' ? query(request) : queryIndex(index.in, request));
}

const threadIdField = idField('thr');

/** The parts of an entry's sort key. For stores only. */
export function activityEntry(sk: string): {
  readonly sk: string;
  readonly at: number;
  readonly id: ThreadId;
} {
  const [at = '', threadId = ''] = sk.split('#');
  return { sk, at: Number(at), id: threadIdField.read(threadId) };
}

function passesFilter(thread: Thread, filter: ThreadFilter, now: number): boolean {
  const { space, mailbox, labels = [], read, claimed } = filter;
  if (space !== undefined && thread.spaceId !== space) return false;
  if (mailbox !== undefined && !isOfMailbox(thread, mailbox)) return false;
  if (!labels.every((label) => thread.labels.includes(label))) return false;
  if (read !== undefined && thread.unread === read) return false;
  if (claimed !== undefined && isClaimedAt(thread, now) !== claimed) return false;
  return filter.matches?.(thread) ?? true;
}

/** Compared as the partitions of mailboxes are. */
function isOfMailbox(thread: Thread, mailbox: string): boolean {
  const wanted = mailbox.toLowerCase();
  return mailboxesOf(thread).some((address) => address.toLowerCase() === wanted);
}
