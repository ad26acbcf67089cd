import type { EmailId, SpaceId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import {
  type ActivityPosition,
  activityEntryAt,
  addCorrespondence,
  type Correspondence,
  type CorrespondingMessage,
  mailboxesOf,
  mergeMailboxes,
  moveActivityEntry,
  noCorrespondence,
  type Thread,
} from '../../core/threads/thread.ts';
import { type Address, addressKey } from '../../mail/addresses/addresses.ts';
import { answeredSubjects, normalizeSubject } from '../../mail/threading/subject.ts';
import { addressField } from '../emails/email-heads.ts';
import {
  codec,
  id,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  sortKey,
  sparseFlag,
  sparseList,
  text,
} from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import * as keys from '../table/keys.ts';
import { listPage, newPage } from '../table/paging.ts';
import { get, getMany } from '../table/reads.ts';
import { placeInSpace } from '../table/space-index.ts';
import { type Item, query, queryIndex } from '../table/table.ts';
import { absent, ahead, type Write } from '../table/transactions.ts';
import { unlessDeleted, withoutDeleted } from '../workspaces/deleted-spaces.ts';

/** For stores only. */
export const correspondenceField = object<Correspondence>({
  last: oneOf(['inbound', 'outbound']),
  hasInbound: sparseFlag,
  hasOutbound: sparseFlag,
  senders: sparseList(text),
  recipients: sparseList(text),
});

const threadCodec = codec<Thread>('thread', {
  id: sortKey(id('thr')),
  spaceId: nullable(id('spc')),
  subject: text,
  mailbox: text,
  otherMailboxes: sparseList(text),
  participants: list(addressField),
  correspondence: correspondenceField,
  messageCount: number,
  lastMessageAt: number,
  createdAt: number,
  forwardOf: nullable(id('thr')),
  snippet: text,
  newestEmailId: id('eml'),
  activity: list(number),
  followUps: optional(list(id('eml'))),
  version: number,
});

/** Threads as stored, in the order of `ids`; those that are gone are left out. */
export async function findThreads(workspaceId: WorkspaceId, ids: readonly ThreadId[]): Promise<Thread[]> {
  const items = await getMany(ids.map((threadId) => keys.threadKey(workspaceId, threadId)));
  return items.flatMap((item) => (item ? [threadCodec.decode(item)] : []));
}

/** A thread of the workspace, or null. */
export async function findThread(workspaceId: WorkspaceId, id: ThreadId): Promise<Thread | null> {
  return await unlessDeleted(workspaceId, findStoredThread(workspaceId, id));
}

/** The same, also of a deleted space. For stores only. */
export async function findStoredThread(workspaceId: WorkspaceId, id: ThreadId): Promise<Thread | null> {
  const item = await get(keys.threadKey(workspaceId, id));
  return item && threadCodec.decode(item);
}

/** The keys of what lists a thread beside its activity entries in the workspace. For stores only. */
export function otherItemsOf(workspaceId: WorkspaceId, thread: Thread): keys.Key[] {
  const sorts = thread.activity.map((at) => keys.activitySort(at, thread.id));
  return [
    ...subjectKeys(workspaceId, thread, mailboxesOf(thread)),
    ...otherActivity(workspaceId, thread).flatMap((pk) => sorts.map((sk) => ({ pk, sk }))),
  ];
}

/** The put of an item by which a list finds a thread. */
interface ListEntry {
  readonly as: string;
  readonly put: Item;
}

/** The activity that a message brings to a thread. */
export interface ThreadActivity extends CorrespondingMessage {
  readonly emailId: EmailId;
  /** Unix milliseconds. */
  readonly at: number;
  readonly snippet: string;
  /** Of the thread as a whole, this message included. */
  readonly participants: readonly Address[];
  /** Addresses on our side that the message went through. */
  readonly mailboxes: readonly string[];
  /** Of the thread from now on; absent: as they are. */
  readonly followUps?: readonly EmailId[] | undefined;
}

/** The writes that create a thread with its first message. The thread's own is named `thread`. */
export function createThread(
  workspaceId: WorkspaceId,
  input: Pick<Thread, 'id' | 'spaceId' | 'subject' | 'mailbox' | 'forwardOf'>,
  first: ThreadActivity,
): Write[] {
  const { at, emailId, snippet, participants } = first;
  const thread: Thread = {
    ...input,
    otherMailboxes: mergeMailboxes({ mailbox: input.mailbox, otherMailboxes: [] }, first.mailboxes),
    participants,
    correspondence: addCorrespondence(noCorrespondence, first),
    messageCount: 1,
    lastMessageAt: at,
    createdAt: at,
    snippet,
    newestEmailId: emailId,
    activity: [at],
    followUps: first.followUps,
    version: 1,
  };
  return [
    { as: 'thread', put: threadItem(workspaceId, thread), ...absent },
    ...listedAhead([
      ...activityItems(workspaceId, thread, at),
      ...subjectItems(workspaceId, thread, mailboxesOf(thread)),
    ]),
  ];
}

/** Lists pass over entries of a thread that does not exist. */
const listedAhead = (entries: readonly ListEntry[]): Write[] =>
  entries.map((entry) => ({ ...entry, ...ahead }));

/**
 * The writes that list a thread under its subject in each of these mailboxes; none for an empty subject, which joins
 * nothing.
 */
function subjectItems(workspaceId: WorkspaceId, thread: Thread, mailboxes: readonly string[]): ListEntry[] {
  return subjectKeys(workspaceId, thread, mailboxes).map((key) => ({
    as: 'thread of subject',
    put: { ...key },
  }));
}

function subjectKeys(
  workspaceId: WorkspaceId,
  { id, spaceId, subject }: Thread,
  mailboxes: readonly string[],
): keys.Key[] {
  const normalized = normalizeSubject(subject);
  if (normalized === '') return [];
  return mailboxes.map((mailbox) => ({
    pk: keys.threadsOfSubject(workspaceId, spaceId, addressKey(mailbox), normalized),
    sk: id,
  }));
}

/**
 * The writes that add a message to a thread. The thread's own is named `thread`: its condition fails where another
 * message was added meanwhile; the caller starts again from the thread as it is then.
 */
export function addToThread(workspaceId: WorkspaceId, before: Thread, message: ThreadActivity): Write[] {
  // Never back in time: a current entry is never older than one the thread has left.
  const at = Math.max(message.at, before.lastMessageAt);
  // Older mail of a mailbox is read newest first.
  const isLate = message.at < before.lastMessageAt;
  const { kept, dropped } = moveActivityEntry(before.activity, at);
  const after: Thread = {
    ...before,
    otherMailboxes: mergeMailboxes(before, message.mailboxes),
    participants: message.participants,
    correspondence: addCorrespondence(before.correspondence, {
      ...message,
      direction: isLate ? before.correspondence.last : message.direction,
    }),
    messageCount: before.messageCount + 1,
    lastMessageAt: at,
    snippet: isLate ? before.snippet : message.snippet,
    newestEmailId: isLate ? before.newestEmailId : message.emailId,
    activity: kept,
    followUps: message.followUps ?? before.followUps,
    version: before.version + 1,
  };
  return [
    changedThread(workspaceId, before, after),
    ...activityItems(workspaceId, after, at),
    ...subjectItems(workspaceId, after, addedMailboxes(before, after)),
    ...dropped.flatMap((left) =>
      [keys.activity(workspaceId), ...otherActivity(workspaceId, before)].map((pk) => ({
        as: 'left activity',
        delete: { pk, sk: keys.activitySort(left, before.id) },
      })),
    ),
  ];
}

/**
 * The writes that list a thread under further addresses on our side; none where it is listed under them, or under
 * `otherMailboxesMax` others. The thread's own is named `thread`, as in `addToThread`.
 */
export function addMailboxes(
  workspaceId: WorkspaceId,
  before: Thread,
  mailboxes: readonly string[],
): Write[] {
  const otherMailboxes = mergeMailboxes(before, mailboxes);
  if (otherMailboxes.length === before.otherMailboxes.length) return [];
  const after: Thread = { ...before, otherMailboxes, version: before.version + 1 };
  const at = before.activity[0] ?? before.lastMessageAt;
  return [
    changedThread(workspaceId, before, after),
    ...activityItems(workspaceId, after, at),
    ...subjectItems(workspaceId, after, addedMailboxes(before, after)),
  ];
}

function addedMailboxes(before: Thread, after: Thread): readonly string[] {
  return after.otherMailboxes.slice(before.otherMailboxes.length);
}

function changedThread(workspaceId: WorkspaceId, before: Thread, after: Thread): Write {
  return {
    as: 'thread',
    put: threadItem(workspaceId, after),
    ...expressionsOf({}, { equal: { version: before.version } }),
  };
}

function threadItem(workspaceId: WorkspaceId, thread: Thread): Item {
  return { ...keys.threadKey(workspaceId, thread.id), ...threadCodec.encode(thread) };
}

/** An activity entry of a thread, and one more for each further mailbox. They have keys only. */
function activityItems(workspaceId: WorkspaceId, thread: Thread, at: number): ListEntry[] {
  const sk = keys.activitySort(at, thread.id);
  const entry: Item = {
    pk: keys.activity(workspaceId),
    sk,
    ...placeInSpace(keys.activityOfSpace, workspaceId, thread.spaceId, sk),
    g2pk: keys.activityOfMailbox(workspaceId, thread.mailbox),
    g2sk: sk,
  };
  const others = otherActivity(workspaceId, thread).map((pk): Item => ({ pk, sk, g2pk: pk, g2sk: sk }));
  return [entry, ...others].map((put) => ({ as: 'activity', put }));
}

/** The partitions of the entries of further mailboxes. */
function otherActivity(workspaceId: WorkspaceId, { otherMailboxes }: Thread): string[] {
  return otherMailboxes.map((address) => keys.activityOfMailbox(workspaceId, address));
}

export interface ThreadFilter {
  /** undefined: every space. */
  readonly space?: SpaceId | null | undefined;
  readonly mailbox?: string | undefined;
  /** The `query` parameter as a predicate. */
  readonly matches?: ((thread: Thread) => boolean) | undefined;
}

/** Entries that one request reads at most to fill a page. */
const entriesReadMax = 2000;
/** Entries read at once: their threads are one BatchGetItem. */
const entriesAtOnce = 100;

/**
 * A page of threads, most recently active first, in the order at the time when the listing began. A page may be short,
 * even empty, before the last one: the work of one request is bounded. The caller checks that a given space exists.
 */
export async function listThreads(
  workspaceId: WorkspaceId,
  filter: ThreadFilter,
  paging: Paging<ActivityPosition> & { readonly now: number },
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
  paging: Paging<ActivityPosition> & { readonly now: number },
): Promise<Page<Thread, ActivityPosition>> {
  const index = activityIndex(workspaceId, filter);
  const { items: threads, add } = newPage<Thread>(paging.limit);
  let began = paging.after?.began ?? null;
  let after = paging.after?.after ?? null;
  for (let read = 0; read < entriesReadMax; ) {
    const { items, next } = await index.query({
      KeyConditionExpression: `${index.pk} = :pk${after ? ` AND ${index.sk} < :after` : ''}`,
      ExpressionAttributeValues: { ':pk': index.value, ...(after && { ':after': after }) },
      ScanIndexForward: false,
      // The missing ones, and one more to know whether there is a next page; more, the more entries were passed over.
      Limit: Math.min(entriesAtOnce, paging.limit + 1 - threads.length + (read - threads.length)),
    });
    const entries = items.map(({ sk }) => activityEntry(sk));
    // Clocks of functions differ by milliseconds: the newest entry is part of the listing.
    began ??= Math.max(paging.now, entries[0]?.at ?? 0);
    const found = await threadsOf(workspaceId, entries, began);
    for (const [position, entry] of entries.entries()) {
      const thread = found[position];
      const isListed = thread && passesFilter(thread, filter);
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
    const thread = item ? threadCodec.decode(item) : null;
    return thread && activityEntryAt(thread, began) === at ? thread : null;
  });
}

/** Where a listing reads activity entries: of threads outside of spaces among all. The indexes may lag behind the table. */
function activityIndex(workspaceId: WorkspaceId, filter: ThreadFilter) {
  const gsi1 = { pk: 'g1pk', sk: 'g1sk', query: queryIndex.bind(null, 'GSI1') };
  const gsi2 = { pk: 'g2pk', sk: 'g2sk', query: queryIndex.bind(null, 'GSI2') };
  if (filter.mailbox) return { ...gsi2, value: keys.activityOfMailbox(workspaceId, filter.mailbox) };
  if (filter.space) return { ...gsi1, value: keys.activityOfSpace(workspaceId, filter.space) };
  return { pk: 'pk', sk: 'sk', query, value: keys.activity(workspaceId) };
}

const threadIdField = id('thr');

/** The parts of an entry's sort key. For stores only. */
export function activityEntry(sk: string): {
  readonly sk: string;
  readonly at: number;
  readonly id: ThreadId;
} {
  const [at = '', threadId = ''] = sk.split('#');
  return { sk, at: Number(at), id: threadIdField.read(threadId) };
}

function passesFilter(thread: Thread, filter: ThreadFilter): boolean {
  if (filter.space !== undefined && thread.spaceId !== filter.space) return false;
  return filter.matches?.(thread) ?? true;
}

/** Newest threads of one subject that a message is compared with. */
const alikeThreadsMax = 200;

/** The threads of a mailbox that an answer may join by its subject, the newest 200 of each subject. Consistent. */
export async function findThreadsBySubject(
  workspaceId: WorkspaceId,
  answer: Pick<Thread, 'spaceId' | 'mailbox' | 'subject'>,
): Promise<Thread[]> {
  const { spaceId, mailbox, subject } = answer;
  const pages = await Promise.all(
    answeredSubjects(subject).map((normalized) => {
      const pk = keys.threadsOfSubject(workspaceId, spaceId, addressKey(mailbox), normalized);
      return listPage({ pk, order: 'newest first', limit: alikeThreadsMax, after: null });
    }),
  );
  const ids = pages.flatMap(({ items }) => items.map(({ sk }) => threadIdField.read(sk)));
  return await findThreads(workspaceId, ids);
}
