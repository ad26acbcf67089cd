/** Webhook endpoints: their settings and signing secrets (docs/concepts/webhooks.md#endpoints). */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import type { EndpointId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Page, Paging } from '../../core/page.ts';
import { Problem } from '../../core/problems.ts';
import type { Delivery, DeliveryState } from '../../core/webhooks/delivery.ts';
import type { Endpoint, EndpointSettings } from '../../core/webhooks/endpoint.ts';
import { listDeliveries as listStoredDeliveries } from '../../storage/deliveries.ts';
import * as store from '../../storage/endpoints.ts';
import { newEndpointSecret } from './endpoint-secrets.ts';

const limitReached = () =>
  new Problem('limit_reached', `A workspace has at most ${limits.endpoints} webhook endpoints.`);
const notFound = () => new Problem('not_found', 'There is no such webhook endpoint.');

/**
 * Creates an endpoint. `secret` is the plaintext of its signing secret, shown only this once.
 *
 * @throws Problem limit_reached
 */
export async function createEndpoint(
  workspaceId: WorkspaceId,
  settings: EndpointSettings,
): Promise<{ readonly endpoint: Endpoint; readonly secret: string }> {
  const { secret, sealed } = await newEndpointSecret(workspaceId);
  const at = now();
  const endpoint: Endpoint = {
    ...settings,
    id: newId('whk'),
    format: 'v2',
    consecutiveFailures: 0,
    previousSecretExpiresAt: null,
    createdAt: at,
    updatedAt: at,
  };
  if (!(await store.createEndpoint(workspaceId, endpoint, sealed))) throw limitReached();
  return { endpoint, secret };
}

/** @throws Problem not_found */
export async function getEndpoint(workspaceId: WorkspaceId, id: EndpointId): Promise<Endpoint> {
  const found = await store.findEndpoint(workspaceId, id);
  if (!found) throw notFound();
  return found.endpoint;
}

/** A page of endpoints, oldest first. */
export async function listEndpoints(workspaceId: WorkspaceId, paging: Paging): Promise<Page<Endpoint>> {
  return await store.listEndpoints(workspaceId, paging);
}

/** Changes the settings that `change` names. @throws Problem not_found */
export async function updateEndpoint(
  workspaceId: WorkspaceId,
  id: EndpointId,
  change: { readonly [Name in keyof EndpointSettings]?: EndpointSettings[Name] | undefined },
): Promise<Endpoint> {
  const endpoint = await store.updateEndpoint(workspaceId, id, change);
  if (!endpoint) throw notFound();
  return endpoint;
}

/** Deletes an endpoint, effective with the next attempt. @throws Problem not_found */
export async function deleteEndpoint(workspaceId: WorkspaceId, id: EndpointId): Promise<void> {
  if (!(await store.deleteEndpoint(workspaceId, id))) throw notFound();
}

/** A page of an endpoint's deliveries, newest first. @param state undefined: every state @throws Problem not_found */
export async function listDeliveries(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  state: DeliveryState | undefined,
  paging: Paging,
): Promise<Page<Delivery>> {
  const [page] = await Promise.all([
    listStoredDeliveries(workspaceId, endpointId, state, paging),
    getEndpoint(workspaceId, endpointId),
  ]);
  return page;
}
