/** The event log: events of a workspace, for clients that catch up (docs/concepts/webhooks.md#event-log). */
import type { EventId, SpaceId, WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import { Problem } from '../../core/problems.ts';
import type { StoredEvent } from '../../core/webhooks/event.ts';
import type { EventType } from '../../core/webhooks/event-types.ts';
import * as store from '../../storage/webhooks/events.ts';
import { checkSpaceFilter } from '../spaces/spaces.ts';

export interface EventFilter {
  /** undefined: every type. */
  readonly types?: readonly EventType[] | undefined;
  /** null: those of the workspace itself; undefined: of every space. */
  readonly space?: SpaceId | null | undefined;
  readonly after?: EventId | undefined;
  readonly before?: EventId | undefined;
  readonly order: 'asc' | 'desc';
}

/** A page of events in the order of their ids. @throws Problem not_found for a space that does not exist */
export async function listEvents(
  workspaceId: WorkspaceId,
  { types, space, after, before, order }: EventFilter,
  paging: Paging,
): Promise<Page<StoredEvent>> {
  await checkSpaceFilter(workspaceId, space);
  const filter = { types, spaceId: space, range: { after, before } };
  return await store.listEvents(
    workspaceId,
    filter,
    order === 'asc' ? 'oldest first' : 'newest first',
    paging,
  );
}

/** @throws Problem not_found, also for an event that has expired */
export async function getEvent(workspaceId: WorkspaceId, id: EventId): Promise<StoredEvent> {
  const event = await store.findEvent(workspaceId, id);
  if (!event) throw new Problem('not_found', 'There is no such event.');
  return event;
}
