/** The deliveries of an endpoint, as clients see them (docs/concepts/webhooks.md#delivery-states). */
import type { EndpointId, WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import { Problem } from '../../core/problems.ts';
import { type DeliveryState, deadlineOf } from '../../core/webhooks/delivery.ts';
import { shownNextAttempt } from '../../core/webhooks/dispatch.ts';
import type { Endpoint } from '../../core/webhooks/endpoint.ts';
import type { Health } from '../../core/webhooks/health.ts';
import {
  type ListedDelivery,
  listDeliveries as listStoredDeliveries,
} from '../../storage/webhooks/delivery-lists.ts';
import { findEndpointState } from '../../storage/webhooks/endpoint-states.ts';
import { findEndpoint } from '../../storage/webhooks/endpoints.ts';

/** A page of an endpoint's deliveries, newest first. @param state undefined: every state @throws Problem not_found */
export async function listDeliveries(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  state: DeliveryState | undefined,
  paging: Paging,
): Promise<Page<ListedDelivery>> {
  const [{ items, next }, { health }, found] = await Promise.all([
    listStoredDeliveries(workspaceId, endpointId, state, paging),
    findEndpointState(workspaceId, endpointId),
    findEndpoint(workspaceId, endpointId),
  ]);
  if (!found) throw noEndpoint();
  const { format } = found.endpoint;
  return { items: items.map((listed) => shownDelivery(listed, format, health)), next };
}

export const noEndpoint = () => new Problem('not_found', 'There is no such webhook endpoint.');

/** A delivery of a failing endpoint waits for a probe. Bodies of format v1 are built when they are sent, and not stored. */
export function shownDelivery(
  { delivery, body }: ListedDelivery,
  format: Endpoint['format'],
  health: Health,
): ListedDelivery {
  const { nextAttemptAt: at } = delivery;
  const nextAttemptAt = at === null ? null : shownNextAttempt(health, at, deadlineOf(delivery));
  return { delivery: { ...delivery, nextAttemptAt }, body: format === 'v1' ? null : body };
}
