/** Events of a workspace, each once; deliveries refer to them. They expire by TTL. */
import { now } from '../../adapters/clock.ts';
import type { EmailId, EventId, SpaceId, WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import { type EventSubjectRef, eventSubjectSchema } from '../../core/queue-messages.ts';
import type { StoredEvent } from '../../core/webhooks/event.ts';
import { type EventType, eventTypes, olderType } from '../../core/webhooks/event-types.ts';
import {
  codec,
  type Field,
  id,
  knownAs,
  nullable,
  number,
  oneOf,
  secondsAsMs,
  sortKey,
} from '../table/codec.ts';
import { compressedText } from '../table/compressed-text.ts';
import { eventKey, events, eventsOfSpace } from '../table/keys.ts';
import { listFiltered, listPage, type Order } from '../table/paging.ts';
import { get, getMany } from '../table/reads.ts';
import { type Item, putIf } from '../table/table.ts';
import { absent } from '../table/transactions.ts';
import {
  type DeletedSpaces,
  findKept,
  isDeleted,
  isNothingDeleted,
  unlessDeleted,
  withoutDeleted,
} from '../workspaces/deleted-spaces.ts';

const subjectField: Field<EventSubjectRef> = {
  read: (stored) => eventSubjectSchema.parse(stored),
  write: (subject) => subject,
};

/** An email that does not exist, in place of a blocked one. */
const olderSubject = (subject: EventSubjectRef): EventSubjectRef =>
  'blockedId' in subject ? { emailId: subject.blockedId.replace('blk_', 'eml_') as EmailId } : subject;

const eventCodec = codec<StoredEvent>('event', {
  id: sortKey(id('evt')),
  type: knownAs(oneOf(eventTypes), olderType),
  createdAt: number,
  spaceId: nullable(id('spc')),
  subject: knownAs(subjectField, olderSubject),
  body: compressedText,
  expiresAt: secondsAsMs,
});

/** TTL deletes expired items within days ("Using time to live (TTL) in DynamoDB"). */
const isShown = ({ expiresAt }: StoredEvent): boolean => now() < expiresAt;

/**
 * Stores an event unless it is stored already: the first body stays.
 *
 * @returns what is stored
 */
export async function storeEvent(workspaceId: WorkspaceId, event: StoredEvent): Promise<StoredEvent> {
  const key = eventKey(workspaceId, event.id);
  const { id: sort, spaceId } = event;
  const index = spaceId && { g2pk: eventsOfSpace(workspaceId, spaceId), g2sk: sort };
  if (await putIf({ ...key, ...eventCodec.encode(event), ...index }, absent)) return event;
  const item = await get(key);
  return item ? eventCodec.decode(item) : event;
}

/** An event, or null. */
export async function findEvent(workspaceId: WorkspaceId, eventId: EventId): Promise<StoredEvent | null> {
  const reading = get(eventKey(workspaceId, eventId));
  const event = await unlessDeleted(
    workspaceId,
    reading.then((item) => item && eventCodec.decode(item)),
  );
  return event && isShown(event) ? event : null;
}

/** Events by id; those that have expired, and those of deleted spaces, are missing. */
export async function findEvents(
  workspaceId: WorkspaceId,
  ids: readonly EventId[],
): Promise<ReadonlyMap<EventId, StoredEvent>> {
  const keys = ids.map((eventId) => eventKey(workspaceId, eventId));
  const kept = (await findKept(workspaceId, keys, eventCodec.decode)).filter(isShown);
  return new Map(kept.map((event) => [event.id, event]));
}

/** Those of `ids` whose events are in deleted spaces. Reads events only where there are such spaces. */
export async function findIdsInDeletedSpaces(
  workspaceId: WorkspaceId,
  deleted: DeletedSpaces,
  ids: readonly EventId[],
): Promise<ReadonlySet<EventId>> {
  if (isNothingDeleted(deleted)) return new Set();
  const items = await getMany(ids.map((eventId) => eventKey(workspaceId, eventId)));
  const found = items.flatMap((item) => (item ? [eventCodec.decode(item)] : []));
  return new Set(
    found.filter(({ spaceId }) => isDeleted(deleted, spaceId)).map(({ id: eventId }) => eventId),
  );
}

/** Which events a list has. */
export interface EventFilter {
  /** undefined: every type. */
  readonly types?: readonly EventType[] | undefined;
  /** null: those of the workspace itself; undefined: of every space. */
  readonly spaceId?: SpaceId | null | undefined;
  /** Only events whose ids sort after, or before, this one. */
  readonly range?: { readonly after?: EventId | undefined; readonly before?: EventId | undefined };
}

/** A page of events in the order of their ids. With a type or space the page may be short. */
export async function listEvents(
  workspaceId: WorkspaceId,
  filter: EventFilter,
  order: Order,
  paging: Paging,
): Promise<Page<StoredEvent>> {
  if (filter.spaceId !== undefined) return await listKept(workspaceId, filter, order, paging);
  return await withoutDeleted(workspaceId, (isLeft) =>
    listKept(workspaceId, { ...filter, isLeft }, order, paging),
  );
}

async function listKept(
  workspaceId: WorkspaceId,
  {
    types,
    spaceId,
    range,
    isLeft = null,
  }: EventFilter & { readonly isLeft?: ((event: StoredEvent) => boolean) | null },
  order: Order,
  paging: Paging,
): Promise<Page<StoredEvent>> {
  const input = { pk: events(workspaceId), order, ...paging, ...(range && { range }) };
  const isKept = (item: Item) => {
    const event = eventCodec.decode(item);
    const isOfType = types === undefined || types.includes(event.type);
    const isOfSpace = spaceId === undefined || event.spaceId === spaceId;
    return isShown(event) && isOfType && isOfSpace && (isLeft?.(event) ?? true);
  };
  const isFiltered = types !== undefined || spaceId !== undefined || isLeft !== null;
  const page = await (isFiltered ? listFiltered(input, isKept) : listPage(input));
  const items = page.items.filter(isKept).map(eventCodec.decode);
  // Behind the newest expired event, all are expired.
  const isEnd = order === 'newest first' && !isFiltered && items.length < page.items.length;
  return { items, next: isEnd ? null : page.next };
}
