import type { EmailId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import {
  activityEntryKeptMs,
  addCorrespondence,
  type Claim,
  type Correspondence,
  type CorrespondingMessage,
  isClaimedAt,
  listsWithEntries,
  mailboxesOf,
  mergeMailboxes,
  moveActivityEntry,
  noCorrespondence,
  type Thread,
  type ThreadList,
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
  secondsAsMs,
  sortKey,
  sparseFlag,
  sparseList,
  text,
} from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import * as keys from '../table/keys.ts';
import { listPage } from '../table/paging.ts';
import { get, getMany } from '../table/reads.ts';
import { placeInSpace } from '../table/space-index.ts';
import type { Item } from '../table/table.ts';
import { absent, ahead, type Write } from '../table/transactions.ts';
import { unlessDeleted } from '../workspaces/deleted-spaces.ts';

/** For stores only. */
export const correspondenceField = object<Correspondence>({
  last: oneOf(['inbound', 'outbound']),
  hasInbound: sparseFlag,
  hasOutbound: sparseFlag,
  senders: sparseList(text),
  recipients: sparseList(text),
});

/** For stores only. */
export const threadCodec = codec<Thread>('thread', {
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
  labels: sparseList(text),
  unread: sparseFlag,
  claim: nullable(object<Claim>({ owner: text, expiresAt: number })),
  followUps: optional(list(id('eml'))),
  version: number,
});

/** A thread of an item. For stores only. */
export const decodeThread = threadCodec.decode;

/** Threads as stored, in the order of `ids`; those that are gone are left out. */
export async function findThreads(workspaceId: WorkspaceId, ids: readonly ThreadId[]): Promise<Thread[]> {
  const items = await getMany(ids.map((threadId) => keys.threadKey(workspaceId, threadId)));
  return items.flatMap((item) => (item ? [threadCodec.decode(item)] : []));
}

/** A thread of the workspace, or null. */
export async function findThread(workspaceId: WorkspaceId, id: ThreadId): Promise<Thread | null> {
  return await unlessDeleted(workspaceId, findStoredThread(workspaceId, id));
}

/** The same, also of a deleted space. For stores, and for events. */
export async function findStoredThread(workspaceId: WorkspaceId, id: ThreadId): Promise<Thread | null> {
  const item = await get(keys.threadKey(workspaceId, id));
  return item && threadCodec.decode(item);
}

/** The keys of what lists a thread beside its activity entries in the workspace. For stores only. */
export function otherItemsOf(workspaceId: WorkspaceId, thread: Thread): keys.Key[] {
  return [
    ...subjectKeys(workspaceId, thread, mailboxesOf(thread)),
    ...otherActivity(workspaceId, thread).flatMap((pk) => placesIn(pk, thread)),
    ...listsWithEntries(thread).flatMap((list) => placesIn(keys.activityOfList(workspaceId, list), thread)),
  ];
}

/** The places of a thread's entries in a partition that lists threads by activity. For stores only. */
export function placesIn(pk: string, { id, activity }: Thread): keys.Key[] {
  return activity.map((at) => ({ pk, sk: keys.activitySort(at, id) }));
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
  /** It is from a person, and new: the thread is unread. */
  readonly marksUnread?: boolean;
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
    labels: [],
    unread: first.marksUnread ?? false,
    claim: null,
    followUps: first.followUps,
    version: 1,
  };
  return [
    { as: 'thread', put: threadItem(workspaceId, thread), ...absent },
    ...listedAhead([
      ...activityItems(workspaceId, thread, at),
      ...listItems(workspaceId, thread, listsWithEntries(thread), at),
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
  const lists = listsWithEntries(before);
  const { kept, dropped } = moveActivityEntry(before.activity, at, lists.length);
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
    unread: before.unread || (message.marksUnread ?? false),
    followUps: message.followUps ?? before.followUps,
    version: before.version + 1,
  };
  return [
    changedThread(workspaceId, before, after),
    ...activityItems(workspaceId, after, at),
    ...listItems(workspaceId, after, listsAt(after, at), at),
    ...subjectItems(workspaceId, after, addedMailboxes(before, after)),
    ...[
      keys.activity(workspaceId),
      // A thread that is read has left it, with all its entries.
      ...(before.unread ? [keys.unreadActivity(workspaceId)] : []),
      ...otherActivity(workspaceId, before),
      ...lists.map((list) => keys.activityOfList(workspaceId, list)),
    ].flatMap((pk) => leaveList(pk, { ...before, activity: dropped })),
  ];
}

/**
 * The writes of a thread that has lost emails: it is listed under its subject as it is now. The thread's own is named `thread`, as
 * in `addToThread`.
 */
export function leaveEmailsOut(workspaceId: WorkspaceId, before: Thread, after: Thread): Write[] {
  const changed = changedThread(workspaceId, before, after);
  if (before.subject === after.subject) return [changed];
  const keysOf = (thread: Thread) => subjectKeys(workspaceId, thread, mailboxesOf(thread));
  const kept = new Set(keysOf(after).map(({ pk }) => pk));
  return [
    changed,
    ...subjectItems(workspaceId, after, mailboxesOf(after)),
    ...keysOf(before)
      .filter(({ pk }) => !kept.has(pk))
      .map((key) => ({ as: 'left subject', delete: key })),
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

/** The write of a thread, named `thread`: its condition fails where the thread changed meanwhile. For stores only. */
export function changedThread(workspaceId: WorkspaceId, before: Thread, after: Thread): Write {
  return {
    as: 'thread',
    put: threadItem(workspaceId, after),
    ...expressionsOf({}, { equal: { version: before.version } }),
  };
}

function threadItem(workspaceId: WorkspaceId, thread: Thread): Item {
  return { ...keys.threadKey(workspaceId, thread.id), ...threadCodec.encode(thread) };
}

/** An activity entry of a thread, and one more for each further mailbox. They have keys only. For stores only. */
export function activityItems(workspaceId: WorkspaceId, thread: Thread, at: number): ListEntry[] {
  const sk = keys.activitySort(at, thread.id);
  const entry: Item = {
    pk: thread.unread ? keys.unreadActivity(workspaceId) : keys.activity(workspaceId),
    sk,
    ...placeInSpace(keys.activityOfSpace, workspaceId, thread.spaceId, sk),
    g2pk: keys.activityOfMailbox(workspaceId, thread.mailbox),
    g2sk: sk,
  };
  const others = otherActivity(workspaceId, thread).map((pk): Item => ({ pk, sk, g2pk: pk, g2sk: sk }));
  return [entry, ...others].map((put) => ({ as: 'activity', put }));
}

/** The lists in which a thread is found at `atMs`. */
function listsAt(thread: Thread, atMs: number): ThreadList[] {
  return listsWithEntries(thread).filter((list) => list !== 'claimed' || isClaimedAt(thread, atMs));
}

/** The entries of a thread in some lists of threads. Those of a claim expire with it. For stores only. */
export function listItems(
  workspaceId: WorkspaceId,
  { id, spaceId, claim }: Thread,
  lists: readonly ThreadList[],
  at: number,
): ListEntry[] {
  const sk = keys.activitySort(at, id);
  return lists.map((list) => ({
    as: 'listed',
    put: {
      pk: keys.activityOfList(workspaceId, list),
      sk,
      ...placeInSpace((of, space) => keys.activityOfListInSpace(of, space, list), workspaceId, spaceId, sk),
      ...(list === 'claimed' &&
        claim && { expiresAt: secondsAsMs.write(claim.expiresAt + activityEntryKeptMs) }),
    },
  }));
}

/** The writes that remove the entries of a thread from a partition. For stores only. */
export function leaveList(pk: string, thread: Thread): Write[] {
  return placesIn(pk, thread).map((key) => ({ as: 'left activity', delete: key }));
}

/** The partitions of the entries of further mailboxes. */
function otherActivity(workspaceId: WorkspaceId, { otherMailboxes }: Thread): string[] {
  return otherMailboxes.map((address) => keys.activityOfMailbox(workspaceId, address));
}

const threadIdField = id('thr');

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
