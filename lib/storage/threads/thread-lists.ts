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
  let index = await sparsest(indexesOf(workspaceId, filter), after);
  for (let read = 0; read < entriesReadMax; ) {
    // The missing ones, and one more to know whether there is a next page; more, the more entries were passed over.
    const wanted = paging.limit + 1 - threads.length + (read - threads.length);
    const { sorts, open, hasMore } = await queryEntries(index, after, Math.min(entriesAtOnce, wanted));
    index = { ...index, partitions: open };
    const entries = sorts.map(activityEntry);
    // Clocks of functions differ by milliseconds: the newest entry is part of the listing.
    began ??= Math.max(paging.now, entries[0]?.at ?? 0);
    const found = await threadsOf(workspaceId, entries, began);
    for (const [position, entry] of entries.entries()) {
      const thread = found[position];
      const isListed = thread && passesFilter(thread, filter, paging.now);
      if (isListed && !add(thread)) return { items: threads, next: { began, after: after ?? '' } };
      after = entry.sk;
    }
    if (!hasMore) return { items: threads, next: null };
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
  /** Entries of several are in one order. */
  readonly partitions: readonly string[];
}

type EntryIndexes = readonly [EntryIndex, ...EntryIndex[]];

/** The partitions each of which has the entries of all threads that the filter accepts; those outside of spaces are among all. */
function indexesOf(workspaceId: WorkspaceId, filter: ThreadFilter): EntryIndexes {
  const { space, mailbox, read } = filter;
  const ofLists = listsOf(filter).map(
    (list): EntryIndex =>
      space
        ? { in: 'GSI1', partitions: [keys.activityOfListInSpace(workspaceId, space, list)] }
        : { in: 'table', partitions: [keys.activityOfList(workspaceId, list)] },
  );
  const unread = keys.unreadActivity(workspaceId);
  const others: readonly (EntryIndex | false | null | undefined)[] = [
    ...ofLists,
    mailbox !== undefined && { in: 'GSI2', partitions: [keys.activityOfMailbox(workspaceId, mailbox)] },
    read === false && { in: 'table', partitions: [unread] },
    read === true && { in: 'table', partitions: [keys.activity(workspaceId)] },
    space && { in: 'GSI1', partitions: [keys.activityOfSpace(workspaceId, space)] },
  ];
  const [first, ...further] = others.filter((index) => !!index);
  if (first) return [first, ...further];
  return [{ in: 'table', partitions: [keys.activity(workspaceId), unread] }];
}

function listsOf({ labels = [], claimed }: ThreadFilter): ThreadList[] {
  return [...(claimed ? (['claimed'] as const) : []), ...labels.map((label): ThreadList => `label:${label}`)];
}

/** The partition with the fewest entries from here on: of entries of the same number, those that go back furthest. */
async function sparsest(indexes: EntryIndexes, after: string | null): Promise<EntryIndex> {
  const [first, ...others] = indexes;
  if (others.length === 0) return first;
  const probed = await Promise.all(
    indexes.map(async (index) => {
      const { sorts, hasMore } = await queryEntries(index, after, entriesAtOnce);
      return { index, reaches: hasMore ? (sorts.at(-1) ?? '') : '' };
    }),
  );
  return probed.reduce((one, other) => (other.reaches < one.reaches ? other : one)).index;
}

const attributes = {
  table: { pk: 'pk', sk: 'sk' },
  GSI1: { pk: 'g1pk', sk: 'g1sk' },
  GSI2: { pk: 'g2pk', sk: 'g2sk' },
} as const;

/** The next entries of an index, newest first, each once. */
async function queryEntries(index: EntryIndex, after: string | null, limit: number): Promise<Entries> {
  const pages = await Promise.all(
    index.partitions.map((partition) => queryPartition(index.in, partition, after, limit)),
  );
  // Behind the last entry of a page that is not the last one, there may be more of that partition.
  const known = pages.flatMap(({ items, next }) => (next ? [items.at(-1)?.sk ?? ''] : []));
  const from = known.sort().at(-1) ?? '';
  const sorts = new Set(pages.flatMap(({ items }) => items.map(({ sk }) => sk)).filter((sk) => sk >= from));
  const all = [...sorts].sort().reverse();
  const shown = all.slice(0, limit);
  const last = shown.at(-1) ?? from;
  const open = index.partitions.filter((_, at) => {
    const page = pages[at];
    return page && (page.next !== null || page.items.some(({ sk }) => sk < last));
  });
  return { sorts: shown, open, hasMore: open.length > 0 };
}

interface Entries {
  readonly sorts: readonly string[];
  /** The partitions that have more. */
  readonly open: readonly string[];
  readonly hasMore: boolean;
}

async function queryPartition(
  where: EntryIndex['in'],
  partition: string,
  after: string | null,
  limit: number,
): Promise<QueryPage> {
  const { pk, sk } = attributes[where];
  const request = {
    KeyConditionExpression: `${pk} = :pk${after ? ` AND ${sk} < :after` : ''}`,
    ExpressionAttributeValues: { ':pk': partition, ...(after && { ':after': after }) },
    ScanIndexForward: false,
    Limit: limit,
  };
  return await (where === 'table' ? query(request) : queryIndex(where, request));
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
