/** Removal of events with their deliveries (docs/decisions/0047-teardown-of-spaces.md). */
import type { EndpointId, EventId, WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import { deliveryIdOf } from '../../core/webhooks/delivery.ts';
import type { TeardownScope } from '../../core/workspaces/teardown.ts';
import { codec, id, sortKey } from '../table/codec.ts';
import { compressedText } from '../table/compressed-text.ts';
import { deliveryKey, eventKey, events, eventsOfSpace } from '../table/keys.ts';
import { listEntries, listPage } from '../table/paging.ts';
import { getMany } from '../table/reads.ts';
import { type Item, removeAll } from '../table/table.ts';
import { deliveryCodec } from '../webhooks/deliveries.ts';
import { keyOfWaiting } from '../webhooks/waiting-deliveries.ts';

const idCodec = codec<{ readonly id: EventId }>('event', { id: sortKey(id('evt')) });

/** A page of ids of the events of a space, also of a deleted one, or of the workspace. */
export async function listEventsToRemove(
  workspaceId: WorkspaceId,
  scope: TeardownScope,
  paging: Paging,
): Promise<Page<EventId>> {
  const of =
    scope === 'workspace'
      ? { pk: events(workspaceId) }
      : { pk: eventsOfSpace(workspaceId, scope), index: 'GSI2' as const };
  const page = await listEntries({ ...of, order: 'oldest first', ...paging });
  return { items: page.items.map((item) => idCodec.decode(item).id), next: page.next };
}

/** An event with what its endpoints were sent. */
interface EventBody {
  readonly id: EventId;
  /** JSON. */
  readonly body: string;
}

const bodyCodec = codec<EventBody>('event', { id: sortKey(id('evt')), body: compressedText });

/** A page of the events of a workspace with their bodies, oldest first, also of expired ones and in deleted spaces. */
export async function listEventBodies(workspaceId: WorkspaceId, paging: Paging): Promise<Page<EventBody>> {
  const page = await listPage({ pk: events(workspaceId), order: 'oldest first', ...paging });
  return { items: page.items.map(bodyCodec.decode), next: page.next };
}

/** Number of deliveries of events at these endpoints. */
export async function countDeliveries(
  workspaceId: WorkspaceId,
  eventIds: readonly EventId[],
  endpoints: readonly EndpointId[],
): Promise<number> {
  return (await deliveriesOf(workspaceId, eventIds, endpoints)).length;
}

async function deliveriesOf(
  workspaceId: WorkspaceId,
  eventIds: readonly EventId[],
  endpoints: readonly EndpointId[],
): Promise<Item[]> {
  const keys = eventIds.flatMap((eventId) =>
    endpoints.map((endpointId) => deliveryKey(workspaceId, endpointId, deliveryIdOf(eventId, endpointId))),
  );
  return (await getMany(keys)).filter((item) => item !== null);
}

/** Removes events with their deliveries at these endpoints; the number of these. Those at deleted endpoints expire. Idempotent. */
export async function removeEvents(
  workspaceId: WorkspaceId,
  eventIds: readonly EventId[],
  endpoints: readonly EndpointId[],
): Promise<number> {
  const items = await deliveriesOf(workspaceId, eventIds, endpoints);
  const pending = items.map(deliveryCodec.decode).filter(({ state }) => state === 'pending');
  await removeAll(pending.map((delivery) => keyOfWaiting(workspaceId, delivery)));
  await removeAll(items);
  await removeAll(eventIds.map((eventId) => eventKey(workspaceId, eventId)));
  return items.length;
}
