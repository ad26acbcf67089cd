/** Deliveries that are retried at the request of a client (docs/concepts/webhooks.md#delivery-states). */
import type { DeliveryId, EndpointId, WorkspaceId } from '../../core/ids.ts';
import type { ListedDelivery } from '../../storage/webhooks/delivery-lists.ts';
import { findEndpointState } from '../../storage/webhooks/endpoint-states.ts';
import { findEndpoint } from '../../storage/webhooks/endpoints.ts';
import { noEndpoint, shownDelivery } from './list-deliveries.ts';
import { replayDeliveries } from './replay-deliveries.ts';

/**
 * Retries deliveries of an endpoint, in whatever state; see `replayDeliveries`.
 *
 * @throws Problem not_found
 */
export async function retryDeliveries(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  ids: readonly DeliveryId[],
): Promise<readonly ListedDelivery[]> {
  const found = await findEndpoint(workspaceId, endpointId);
  if (!found) throw noEndpoint();
  const [replayed, { health }] = await Promise.all([
    replayDeliveries(workspaceId, endpointId, ids),
    findEndpointState(workspaceId, endpointId),
  ]);
  return replayed.map((listed) => shownDelivery(listed, found.endpoint.format, health));
}
