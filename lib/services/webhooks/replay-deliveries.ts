/** Deliveries that a client has delivered again: pending, with the full number of attempts and the full time. */

import { now } from '../../adapters/clock.ts';
import type { DeliveryId, EndpointId, WorkspaceId } from '../../core/ids.ts';
import { type Delivery, replayed } from '../../core/webhooks/delivery.ts';
import { allDone } from '../../core/work/all-done.ts';
import { commitIfUnchanged } from '../../storage/table/transactions.ts';
import { findDeliveries, replayDelivery } from '../../storage/webhooks/deliveries.ts';
import { type ListedDelivery, withBodies } from '../../storage/webhooks/delivery-lists.ts';
import { findIdsInDeletedSpaces } from '../../storage/webhooks/events.ts';
import { findDeletedSpaces } from '../../storage/workspaces/deleted-spaces.ts';
import { deliverMessage } from './deliver-message.ts';

/**
 * Replays deliveries of an endpoint, in any state, and returns them as they are then. Unknown ones, expired ones and those of deleted spaces are left out,
 * and so is one that changes at this moment. They keep their events, and do not count for the endpoint's health.
 */
export async function replayDeliveries(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  ids: readonly DeliveryId[],
): Promise<readonly ListedDelivery[]> {
  const [found, deleted] = await Promise.all([
    findDeliveries(workspaceId, endpointId, [...new Set(ids)]),
    findDeletedSpaces(workspaceId),
  ]);
  const eventIds = found.flatMap((delivery) => delivery?.eventId ?? []);
  const hidden = await findIdsInDeletedSpaces(workspaceId, deleted, eventIds);
  const kept = found.filter(
    (delivery) => delivery !== null && !isExpired(delivery) && !hidden.has(delivery.eventId),
  );
  const replays = await allDone(
    kept.map(async (before) => {
      if (!before) return [];
      const after = replayed(before, now());
      const message = deliverMessage({ workspaceId, endpointId }, after);
      const write = replayDelivery(workspaceId, before, after);
      return (await commitIfUnchanged(workspaceId, [write], [{ message }])) ? [after] : [];
    }),
  );
  return await withBodies(workspaceId, replays.flat());
}

function isExpired({ expiresAt }: Delivery): boolean {
  return expiresAt <= now();
}
