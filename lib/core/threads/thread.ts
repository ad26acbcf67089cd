/** Threads (docs/concepts/threads.md), and their order by activity. */

import { type Address, addressKey } from '../../mail/addresses/addresses.ts';
import type { Direction } from '../emails/email.ts';
import type { EmailId, SpaceId, ThreadId } from '../ids.ts';

export interface Thread {
  readonly id: ThreadId;
  readonly spaceId: SpaceId | null;
  readonly subject: string;
  /** The address on our side. */
  readonly mailbox: string;
  /** Further addresses on our side that its messages went through; at most `otherMailboxesMax`. */
  readonly otherMailboxes: readonly string[];
  readonly participants: readonly Address[];
  /** What searches of version 1 ask about its messages. */
  readonly correspondence: Correspondence;
  readonly messageCount: number;
  readonly lastMessageAt: number;
  readonly createdAt: number;
  readonly forwardOf: ThreadId | null;
  readonly snippet: string;
  readonly newestEmailId: EmailId;
  /** Times of its activity entries, newest first; the first one is current. */
  readonly activity: readonly number[];
  /** Sorted, each once; at most `labelsMax`. */
  readonly labels: readonly string[];
  /** A person's message came since it was marked as read. */
  readonly unread: boolean;
  /** The last claim, which may have expired; null: there was none, or it was released. */
  readonly claim: Claim | null;
  /** Emails that the next message of a person cancels, with some that have left; absent: none. */
  readonly followUps?: readonly EmailId[] | undefined;
  /** Raised by each change; writers compare it. */
  readonly version: number;
}

/** Who works on a thread, until when. */
export interface Claim {
  readonly owner: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/** Labels of a thread: each costs two entries' writes with a message of the thread. */
export const labelsMax = 20;

/** Whether a claim counts at `atMs`. */
export function isClaimedAt({ claim }: Pick<Thread, 'claim'>, atMs: number): boolean {
  return claim !== null && claim.expiresAt > atMs;
}

/** A list of some threads of a workspace, by activity, beside the two of those that are read and those that are not. */
export type ThreadList = `label:${string}` | 'claimed';

/** The lists that a thread may have entries in: also those of a claim that has expired. */
export function listsWithEntries({ labels, claim }: Pick<Marks, 'labels' | 'claim'>): ThreadList[] {
  return [...labels.map((label): ThreadList => `label:${label}`), ...(claim ? (['claimed'] as const) : [])];
}

/** What workers say about a thread. */
export type Marks = Pick<Thread, 'labels' | 'unread' | 'claim'>;

/** Who wrote to whom in a thread. */
export interface Correspondence {
  /** Direction of the newest message. */
  readonly last: Direction;
  readonly hasInbound: boolean;
  readonly hasOutbound: boolean;
  /** The addresses in From, and in To, each once; at most `correspondentsMax` each. */
  readonly senders: readonly string[];
  readonly recipients: readonly string[];
}

/** A message as its thread counts it. */
export interface CorrespondingMessage {
  readonly direction: Direction;
  readonly from: Address;
  readonly to: readonly Address[];
}

/** Addresses stored of each kind: a thread is one item. */
export const correspondentsMax = 100;

/** Of a thread before its first message. */
export const noCorrespondence: Correspondence = {
  last: 'outbound',
  hasInbound: false,
  hasOutbound: false,
  senders: [],
  recipients: [],
};

/** The correspondence after a message. */
export function addCorrespondence(
  before: Correspondence,
  { direction, from, to }: CorrespondingMessage,
): Correspondence {
  const merge = (known: readonly string[], added: readonly Address[]) =>
    [...new Set([...known, ...added.map(({ address }) => addressKey(address))])].slice(0, correspondentsMax);
  return {
    last: direction,
    hasInbound: before.hasInbound || direction === 'inbound',
    hasOutbound: before.hasOutbound || direction === 'outbound',
    senders: merge(before.senders, [from]),
    recipients: merge(before.recipients, to),
  };
}

/** Each costs one more activity entry for each message of the thread. */
export const otherMailboxesMax = 4;

/** The addresses on our side, `mailbox` first. */
export function mailboxesOf({
  mailbox,
  otherMailboxes,
}: Pick<Thread, 'mailbox' | 'otherMailboxes'>): string[] {
  return [mailbox, ...otherMailboxes];
}

/** The further addresses of a thread after a message that went through `added`. */
export function mergeMailboxes(
  thread: Pick<Thread, 'mailbox' | 'otherMailboxes'>,
  added: readonly string[],
): readonly string[] {
  const known = new Set(mailboxesOf(thread).map(addressKey));
  const others = added.filter((address) => {
    const isNew = !known.has(addressKey(address));
    known.add(addressKey(address));
    return isNew;
  });
  return [...thread.otherMailboxes, ...others].slice(0, otherMailboxesMax);
}

/** Position of a listing by activity. */
export interface ActivityPosition {
  /** When the listing began, Unix milliseconds. */
  readonly began: number;
  /** The last entry read. */
  readonly after: string;
}

/** How long left activity entries are kept: listings are stable for this time (docs/concepts/threads.md#activity-order). */
export const activityEntryKeptMs = 60 * 60_000;
/** Entries kept of a thread with a burst of mail. */
const entriesMax = 20;
/** Entries deleted with a message; each is an item for each mailbox and list, and a transaction has at most 100 writes. */
const droppedMax = 2;
/** The same of a thread in more lists than this. */
const manyLists = 5;

/** The activity entry of a thread at `atMs`; null where none so old is kept. */
export function activityEntryAt(thread: Pick<Thread, 'activity'>, atMs: number): number | null {
  return thread.activity.find((at) => at <= atMs) ?? null;
}

/** The entries of a thread after a message at `atMs`: those to keep, and those to delete. @param lists that it is in */
export function moveActivityEntry(
  entries: readonly number[],
  atMs: number,
  lists = 0,
): { readonly kept: readonly number[]; readonly dropped: readonly number[] } {
  if (entries[0] === atMs) return { kept: entries, dropped: [] };
  // An entry is needed while a listing may run that began before the thread left the entry.
  const needed = entries.filter(
    (_, index) => (entries[index - 1] ?? atMs) > atMs - activityEntryKeptMs && index < entriesMax - 1,
  );
  const keptCount = Math.max(needed.length, entries.length - (lists > manyLists ? 1 : droppedMax));
  return { kept: [atMs, ...entries.slice(0, keptCount)], dropped: entries.slice(keptCount) };
}
