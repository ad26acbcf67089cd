/** The search of version 1 over threads: filters, orders, conversation states (docs/concepts/v1.md#search). */

import { addressKey } from '../../mail/addresses/addresses.ts';
import type { Direction } from '../emails/email.ts';
import type { ThreadId } from '../ids.ts';
import type { Thread } from './thread.ts';

export const conversationStates = ['awaiting_reply', 'needs_reply', 'active', 'stale'] as const;
export type ConversationState = (typeof conversationStates)[number];

export const threadOrders = ['createdAt', 'lastEmailAt', 'subject'] as const;

/** The parts of a thread that a search looks at. */
export type SearchedThread = Pick<
  Thread,
  'id' | 'subject' | 'participants' | 'createdAt' | 'lastMessageAt' | 'correspondence'
>;

/** Filters that one thread shows; null: every thread passes. Times are Unix milliseconds, bounds exclusive. */
export interface ThreadSearchFilter {
  readonly createdAfter: number | null;
  readonly createdBefore: number | null;
  readonly lastEmailAfter: number | null;
  readonly lastEmailBefore: number | null;
  /** All of them must be participants. */
  readonly participants: readonly string[];
  readonly from: string | null;
  readonly to: string | null;
  readonly subject: string | null;
  readonly direction: Direction | null;
  readonly state: ConversationState | null;
  readonly staleAfterDays: number;
}

const dayMs = 24 * 3_600_000;
const fold = (text: string): string => text.normalize('NFC').toLowerCase();

/** A predicate of a search. @param nowMs against which `active` and `stale` are decided */
export function searchMatcher(
  filter: ThreadSearchFilter,
  nowMs: number,
): (thread: SearchedThread) => boolean {
  const participants = filter.participants.map(addressKey);
  const from = filter.from === null ? null : addressKey(filter.from);
  const to = filter.to === null ? null : addressKey(filter.to);
  const subject = filter.subject === null ? null : fold(filter.subject);
  const activeSince = nowMs - filter.staleAfterDays * dayMs;
  return (thread) =>
    isBetween(thread.createdAt, filter.createdAfter, filter.createdBefore) &&
    isBetween(thread.lastMessageAt, filter.lastEmailAfter, filter.lastEmailBefore) &&
    (filter.state === null || isInState(thread, filter.state, activeSince)) &&
    (filter.direction === null || hasDirection(thread, filter.direction)) &&
    (from === null || thread.correspondence.senders.includes(from)) &&
    (to === null || thread.correspondence.recipients.includes(to)) &&
    (subject === null || fold(thread.subject).includes(subject)) &&
    hasParticipants(thread, participants);
}

function isBetween(at: number, after: number | null, before: number | null): boolean {
  return (after === null || at > after) && (before === null || at < before);
}

function isInState(thread: SearchedThread, state: ConversationState, activeSince: number): boolean {
  switch (state) {
    case 'needs_reply':
      return thread.correspondence.last === 'inbound';
    case 'awaiting_reply':
      return thread.correspondence.last === 'outbound';
    case 'active':
      return thread.lastMessageAt >= activeSince;
    case 'stale':
      return thread.lastMessageAt < activeSince;
  }
}

function hasDirection({ correspondence }: SearchedThread, direction: Direction): boolean {
  return direction === 'inbound' ? correspondence.hasInbound : correspondence.hasOutbound;
}

function hasParticipants({ participants }: SearchedThread, wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true;
  const known = new Set(participants.map(({ address }) => addressKey(address)));
  return wanted.every((address) => known.has(address));
}

/** What a search keeps of each thread that matches, until the page is cut. */
export interface FoundThread {
  readonly id: ThreadId;
  /** The value that the order compares. */
  readonly rank: number | string;
}

export interface ThreadOrder {
  readonly by: (typeof threadOrders)[number];
  readonly order: 'asc' | 'desc';
}

/** The entry of a thread that matches. Subjects compare without case. */
export function foundThread(thread: SearchedThread, { by }: ThreadOrder): FoundThread {
  const ranks = { createdAt: thread.createdAt, lastEmailAt: thread.lastMessageAt, subject: thread.subject };
  const rank = ranks[by];
  return { id: thread.id, rank: typeof rank === 'string' ? fold(rank).slice(0, 200) : rank };
}

/** The entries of a page. Entries of one rank are in the order of creation, so that pages neither repeat nor skip one. */
export function searchPage(
  found: readonly FoundThread[],
  { order }: ThreadOrder,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): readonly FoundThread[] {
  const sign = order === 'asc' ? 1 : -1;
  const compare = (one: FoundThread, other: FoundThread): number =>
    sign * (compareValues(one.rank, other.rank) || compareValues(one.id, other.id));
  return [...found].sort(compare).slice(offset, offset + limit);
}

function compareValues(one: number | string, other: number | string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
