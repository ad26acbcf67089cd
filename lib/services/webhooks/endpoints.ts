/** Webhook endpoints: their settings and signing secrets (docs/concepts/webhooks.md#endpoints). */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import type { EndpointId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Page, Paging } from '../../core/page.ts';
import { invalidField, Problem } from '../../core/problems.ts';
import {
  type Endpoint,
  type EndpointChange,
  type EndpointSettings,
  rotatedSecrets,
} from '../../core/webhooks/endpoint.ts';
import { isV1EventType } from '../../core/webhooks/v1-format.ts';
import * as store from '../../storage/webhooks/endpoints.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
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
  settings: EndpointSettings & Partial<Pick<Endpoint, 'include'>>,
): Promise<{ readonly endpoint: Endpoint; readonly secret: string }> {
  const { secret, sealed } = await newEndpointSecret(workspaceId);
  const format = { format: 'v2', clickEvent: 'link_clicked' } as const;
  return { endpoint: await create(workspaceId, { ...settings, ...format }, sealed), secret };
}

/**
 * Creates an endpoint of format `v1`, for a customer of the previous API version.
 *
 * @param secret chosen by the customer; null: requests are not signed
 * @throws Problem limit_reached
 */
export async function createV1Endpoint(
  workspaceId: WorkspaceId,
  settings: EndpointSettings & Partial<Pick<Endpoint, 'clickEvent'>>,
  secret: string | null,
): Promise<Endpoint> {
  const sealed = secret === null ? null : (await newEndpointSecret(workspaceId, secret)).sealed;
  return await create(workspaceId, { clickEvent: 'link_clicked', ...settings, format: 'v1' }, sealed);
}

async function create(
  workspaceId: WorkspaceId,
  settings: EndpointSettings & Pick<Endpoint, 'format' | 'clickEvent'> & Partial<Pick<Endpoint, 'include'>>,
  sealedSecret: string | null,
): Promise<Endpoint> {
  const at = now();
  const endpoint: Endpoint = {
    include: [],
    ...settings,
    id: newId('whk'),
    consecutiveFailures: 0,
    previousSecretExpiresAt: null,
    createdAt: at,
    updatedAt: at,
  };
  if (!(await store.createEndpoint(workspaceId, endpoint, sealedSecret))) throw limitReached();
  return endpoint;
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

/**
 * Changes the settings that `change` names.
 *
 * @throws Problem not_found, and invalid_request where the format of the endpoint does not have a type or setting
 */
export async function updateEndpoint(
  workspaceId: WorkspaceId,
  id: EndpointId,
  change: EndpointChange,
): Promise<Endpoint> {
  const unknownToV1 = change.subscriptions?.filter((type) => !isV1EventType(type)) ?? [];
  if (unknownToV1.length > 0 || change.clickEvent || change.include) {
    const { format } = await getEndpoint(workspaceId, id);
    if (format === 'v1' && unknownToV1.length > 0) {
      const message = `has types that the format v1 does not have: ${unknownToV1.join(', ')}`;
      throw invalidField('subscriptions', message);
    }
    if (format === 'v1' && change.include) throw invalidField('include', 'is a setting of the format v2');
    if (format === 'v2' && change.clickEvent) {
      throw invalidField('click_event', 'is a setting of the format v1');
    }
  }
  const endpoint = await store.updateEndpoint(workspaceId, id, change);
  if (!endpoint) throw notFound();
  return endpoint;
}

/**
 * Gives an endpoint a new signing secret. `secret` is its plaintext, shown only this once. Two rotations at the same time
 * follow one another.
 *
 * @param given the new secret; absent: a random one
 * @param graceSeconds how long the secret before it signs, too; with the format `v1`, which has one signature, it never does
 * @throws Problem not_found
 */
export async function rotateSecret(
  workspaceId: WorkspaceId,
  id: EndpointId,
  graceSeconds: number,
  given?: string,
): Promise<{ readonly endpoint: Endpoint; readonly secret: string }> {
  const { secret, sealed } = await newEndpointSecret(workspaceId, given);
  return await retryOnConflict(id, async () => {
    const found = await store.findEndpoint(workspaceId, id);
    if (!found) throw notFound();
    const grace = found.endpoint.format === 'v1' ? 0 : graceSeconds;
    const after = rotatedSecrets(found.secrets, sealed, grace, now());
    const endpoint = await store.replaceSecrets(workspaceId, id, found.secrets, after);
    return endpoint ? { endpoint, secret } : conflict;
  });
}

/** Deletes an endpoint, effective with the next attempt. @throws Problem not_found */
export async function deleteEndpoint(workspaceId: WorkspaceId, id: EndpointId): Promise<void> {
  if (!(await store.deleteEndpoint(workspaceId, id))) throw notFound();
}
