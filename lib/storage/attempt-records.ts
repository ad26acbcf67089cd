/** What attempts at an endpoint are made of: the endpoint, the deliveries and their events. */
import { allDone } from '../core/all-done.ts';
import type { DeliveryId, EndpointId, EventId, WorkspaceId } from '../core/ids.ts';
import type { Delivery } from '../core/webhooks/delivery.ts';
import { findDeliveries } from './deliveries.ts';
import { type FoundEndpoint, findEndpoint } from './endpoints.ts';
import { findEventBodies } from './events.ts';

export interface AttemptRecords {
  /** null: it was deleted. */
  readonly endpoint: FoundEndpoint | null;
  /** In the order of the ids, null where there is none. */
  readonly deliveries: readonly (Delivery | null)[];
  /** The bodies of the events of pending deliveries; those of expired events and of deleted spaces are missing. */
  readonly bodies: ReadonlyMap<EventId, string>;
}

/**
 * Reads an endpoint with deliveries and their events, in one call. Consistent.
 *
 * @param eventIds the events that are known before; those of other deliveries take a second read
 */
export async function findAttemptRecords(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  ids: readonly DeliveryId[],
  eventIds: readonly EventId[],
): Promise<AttemptRecords> {
  const [endpoint, deliveries, bodies] = await allDone([
    findEndpoint(workspaceId, endpointId),
    findDeliveries(workspaceId, endpointId, ids),
    findEventBodies(workspaceId, eventIds),
  ]);
  const known = new Set(eventIds);
  const others = deliveries.flatMap((delivery) => {
    const hasEvent = delivery?.state === 'pending' && delivery.body === null;
    return hasEvent && !known.has(delivery.eventId) ? [delivery.eventId] : [];
  });
  return {
    endpoint,
    deliveries,
    bodies: new Map([...bodies, ...(await findEventBodies(workspaceId, others))]),
  };
}
