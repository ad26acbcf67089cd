/** What attempts at an endpoint are made of, in one batch: the endpoint, the deliveries and their events. */
import type { DeliveryId, EndpointId, EventId, WorkspaceId } from '../core/ids.ts';
import type { Delivery } from '../core/webhooks/delivery.ts';
import { deliveryCodec } from './deliveries.ts';
import { decodeEndpoint, type FoundEndpoint } from './endpoints.ts';
import { decodeEventBodies, eventBodyKeys, findEventBodies } from './events.ts';
import { deliveryKey, endpointKey } from './keys.ts';
import { getMany } from './reads.ts';

export interface AttemptRecords {
  /** null: it was deleted. */
  readonly endpoint: FoundEndpoint | null;
  /** In the order of the ids, null where there is none. */
  readonly deliveries: readonly (Delivery | null)[];
  /** The bodies of the events of pending deliveries; those of expired events and of deleted spaces are missing. */
  readonly bodies: ReadonlyMap<EventId, string>;
}

/**
 * Reads an endpoint with deliveries and their events. Consistent.
 *
 * @param eventIds the events that are known before; those of other deliveries take a second read
 */
export async function findAttemptRecords(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  ids: readonly DeliveryId[],
  eventIds: readonly EventId[],
): Promise<AttemptRecords> {
  const [endpoint, ...items] = await getMany([
    endpointKey(workspaceId, endpointId),
    ...ids.map((id) => deliveryKey(workspaceId, endpointId, id)),
    ...eventBodyKeys(workspaceId, eventIds),
  ]);
  const deliveries = items.slice(0, ids.length).map((item) => item && deliveryCodec.decode(item));
  const known = new Set(eventIds);
  const others = deliveries.flatMap((delivery) => {
    const hasEvent = delivery?.state === 'pending' && delivery.body === null;
    return hasEvent && !known.has(delivery.eventId) ? [delivery.eventId] : [];
  });
  const bodies = decodeEventBodies(items.slice(ids.length));
  return {
    endpoint: decodeEndpoint(endpoint),
    deliveries,
    bodies: new Map([...bodies, ...(await findEventBodies(workspaceId, others))]),
  };
}
