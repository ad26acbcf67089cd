/**
 * Threads, and their order by activity.
 *
 * A thread moves up when a message joins it, and a cursor must neither skip nor repeat a thread that moved while
 * a listing was under way. So each place a thread takes is an item of its own; left places stay for an hour, and
 * a listing shows a thread exactly at the place it had when that listing began.
 */

import type { EmailId, SpaceId, ThreadId, WorkspaceId } from '../core/ids.ts';
import type { Address } from '../core/mail/addresses.ts';
import { Problem } from '../core/problems.ts';
import { activityEntryAt, moveActivityEntry, type Thread } from '../core/thread.ts';
import * as keys from './keys.ts';
import { absent, get, getMany, type Item, query, type Write } from './table.ts';

function thread(item: Item): Thread {
  return {
    id: item.sk as ThreadId,
    spaceId: (item.spaceId as SpaceId | null | undefined) ?? null,
    subject: item.subject as string,
    mailbox: item.mailbox as string,
    participants: item.participants as Address[],
    messageCount: item.messageCount as number,
    lastMessageAt: item.lastMessageAt as number,
    createdAt: item.createdAt as number,
    forwardOf: (item.forwardOf as ThreadId | null | undefined) ?? null,
    snippet: item.snippet as string,
    newestEmailId: item.newestEmailId as EmailId,
    positions: item.positions as number[],
    version: item.version as number,
  };
}

/** A thread of the workspace, or null. */
export async function findThread(workspaceId: WorkspaceId, id: ThreadId): Promise<Thread | null> {
  const item = await get(keys.threadKey(workspaceId, id));
  return item ? thread(item) : null;
}

/** A thread of the workspace. @throws Problem thread_not_found */
export async function getThread(workspaceId: WorkspaceId, id: ThreadId): Promise<Thread> {
  const found = await findThread(workspaceId, id);
  if (!found) throw new Problem('thread_not_found', 'There is no such thread.');
  return found;
}

/** A message about to join a thread. */
export interface ThreadActivity {
  readonly emailId: EmailId;
  readonly at: number;
  readonly snippet: string;
  readonly participants: readonly Address[];
}

/** The writes that begin a thread with its first message. The write of the thread is named `thread`. */
export function createThread(
  workspaceId: WorkspaceId,
  input: Pick<Thread, 'id' | 'spaceId' | 'subject' | 'mailbox' | 'forwardOf'>,
  first: ThreadActivity,
): Write[] {
  const begun: Thread = {
    ...input,
    participants: first.participants,
    messageCount: 1,
    lastMessageAt: first.at,
    createdAt: first.at,
    snippet: first.snippet,
    newestEmailId: first.emailId,
    positions: [first.at],
    version: 1,
  };
  const { id, ...attributes } = begun;
  return [
    { as: 'thread', put: { ...keys.threadKey(workspaceId, id), ...attributes }, ...absent },
    { as: 'position', put: positionItem(workspaceId, begun, first.at) },
  ];
}

/**
 * The writes by which a message joins `before`. The write of the thread is named `thread`: its condition fails
 * when another message joined meanwhile, and the caller begins again from the thread as it is then.
 */
export function addToThread(workspaceId: WorkspaceId, before: Thread, joining: ThreadActivity): Write[] {
  // Never back in time, so that a place is never older than one the thread has left.
  const at = Math.max(joining.at, before.lastMessageAt);
  const { kept, dropped } = moveActivityEntry(before.positions, at);
  const after: Thread = {
    ...before,
    participants: joining.participants,
    messageCount: before.messageCount + 1,
    lastMessageAt: at,
    snippet: joining.snippet,
    newestEmailId: joining.emailId,
    positions: kept,
    version: before.version + 1,
  };
  const { id, ...attributes } = after;
  return [
    {
      as: 'thread',
      put: { ...keys.threadKey(workspaceId, id), ...attributes },
      ConditionExpression: 'version = :version',
      ExpressionAttributeValues: { ':version': before.version },
    },
    { as: 'position', put: positionItem(workspaceId, after, at) },
    ...dropped.map((left) => ({
      as: 'left position',
      delete: { pk: keys.activity(workspaceId), sk: keys.activitySort(left, id) },
    })),
  ];
}

function positionItem(workspaceId: WorkspaceId, of: Thread, at: number): Item {
  const sk = keys.activitySort(at, of.id);
  return {
    pk: keys.activity(workspaceId),
    sk,
    g1pk: keys.activityOfSpace(workspaceId, of.spaceId),
    g1sk: sk,
    g2pk: keys.activityOfMailbox(workspaceId, of.mailbox),
    g2sk: sk,
  };
}

/** Where a listing stands: the time at which it began, and the last place it read. */
export interface ActivityPosition {
  readonly began: number;
  readonly after: string;
}

export interface ThreadFilter {
  /** undefined: every space. */
  readonly space?: SpaceId | null | undefined;
  readonly mailbox?: string | undefined;
  /** Lets a thread through (the `query` parameter). */
  readonly matches?: ((thread: Thread) => boolean) | undefined;
}

/** Most places that one request reads to fill a page. */
const placesReadMax = 2000;
/** Their threads are read in one batch, which takes no more. */
const placesAtOnce = 100;

/**
 * A page of threads, most recently active first, as they stood when the listing began.
 * A page may be short, even empty, before the last one: the work of one request is bounded.
 */
export async function listThreads(
  workspaceId: WorkspaceId,
  filter: ThreadFilter,
  paging: { limit: number; after: ActivityPosition | null; now: number },
): Promise<{ items: Thread[]; next: ActivityPosition | null }> {
  const index = placesIndex(workspaceId, filter);
  const shown: Thread[] = [];
  let began = paging.after?.began ?? null;
  let after = paging.after?.after ?? null;
  for (let read = 0; read < placesReadMax; ) {
    const { items: places, next } = await query({
      ...index.query,
      KeyConditionExpression: `${index.pk} = :pk${after ? ` AND ${index.sk} < :after` : ''}`,
      ExpressionAttributeValues: { ':pk': index.value, ...(after && { ':after': after }) },
      ScanIndexForward: false,
      // What is still missing, and one more, which tells whether there is a next page. The more places have shown
      // nothing so far, the more are read at once.
      Limit: Math.min(placesAtOnce, paging.limit + 1 - shown.length + (read - shown.length)),
    });
    // Clocks of functions differ by milliseconds: what is on top now is part of the listing.
    began ??= Math.max(paging.now, places[0] ? placeOf(places[0]).at : 0);
    const found = await getMany(places.map((place) => keys.threadKey(workspaceId, placeOf(place).id)));
    for (const [at, place] of places.entries()) {
      const item = found[at];
      const candidate = item ? thread(item) : null;
      if (candidate && stoodThere(candidate, placeOf(place).at, began) && passes(candidate, filter)) {
        if (shown.length === paging.limit) return { items: shown, next: { began, after: after ?? '' } };
        shown.push(candidate);
      }
      after = place.sk;
    }
    if (!next) return { items: shown, next: null };
    read += places.length;
  }
  return { items: shown, next: { began: began ?? paging.now, after: after ?? '' } };
}

function placesIndex(workspaceId: WorkspaceId, filter: ThreadFilter) {
  const gsi1 = { pk: 'g1pk', sk: 'g1sk', query: { IndexName: 'GSI1' } };
  const gsi2 = { pk: 'g2pk', sk: 'g2sk', query: { IndexName: 'GSI2' } };
  if (filter.mailbox) return { ...gsi2, value: keys.activityOfMailbox(workspaceId, filter.mailbox) };
  if (filter.space !== undefined) return { ...gsi1, value: keys.activityOfSpace(workspaceId, filter.space) };
  return { pk: 'pk', sk: 'sk', query: { ConsistentRead: true }, value: keys.activity(workspaceId) };
}

function placeOf(item: Item): { at: number; id: ThreadId } {
  const [at = '', id = ''] = item.sk.split('#');
  return { at: Number(at), id: id as ThreadId };
}

function stoodThere(candidate: Thread, place: number, began: number): boolean {
  return activityEntryAt(candidate, began) === place;
}

function passes(candidate: Thread, filter: ThreadFilter): boolean {
  if (filter.space !== undefined && candidate.spaceId !== filter.space) return false;
  return filter.matches?.(candidate) ?? true;
}

/** Most places looked at for threads of a mailbox. */
const recentPlacesMax = 500;

/** The threads of an address on our side with a message since `sinceMs`, most recently active first. */
export async function recentThreads(
  workspaceId: WorkspaceId,
  mailbox: string,
  sinceMs: number,
): Promise<Thread[]> {
  const { items: places } = await query({
    IndexName: 'GSI2',
    KeyConditionExpression: 'g2pk = :pk AND g2sk > :since',
    ExpressionAttributeValues: {
      ':pk': keys.activityOfMailbox(workspaceId, mailbox),
      ':since': keys.activitySort(sinceMs, '' as ThreadId),
    },
    ScanIndexForward: false,
    Limit: recentPlacesMax,
  });
  const ids = [...new Set(places.map((place) => placeOf(place).id))];
  const found = await getMany(ids.map((id) => keys.threadKey(workspaceId, id)));
  return found.flatMap((item) => (item ? [thread(item)] : []));
}
