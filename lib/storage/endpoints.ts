/** Webhook endpoints of a workspace, each with its sealed signing secrets. */
import { now } from '../adapters/clock.ts';
import { newId, newToken } from '../adapters/ids.ts';
import { seal } from '../adapters/secrets.ts';
import type { EndpointId, WorkspaceId } from '../core/ids.ts';
import { Problem } from '../core/problems.ts';
import type { Endpoint, EndpointSecrets } from '../core/webhooks/endpoint.ts';
import { endpointKey, endpoints } from './keys.ts';
import { listPage, type Page } from './paging.ts';
import {
  absent,
  ConditionFailed,
  get,
  type Item,
  ifUnchanged,
  present,
  queryAll,
  transact,
} from './table.ts';

/** What the owner of an endpoint sets. */
export type EndpointSettings = Pick<
  Endpoint,
  'url' | 'enabled' | 'subscriptions' | 'routing' | 'maxConcurrency'
>;

/** What binds a sealed secret to its workspace and use. */
export const secretContext = (workspaceId: WorkspaceId) => ({ workspaceId, purpose: 'webhook-secret' });

function endpoint(item: Item): Endpoint {
  const { previous } = secrets(item);
  return {
    id: item.sk as EndpointId,
    url: item.url as string,
    enabled: item.enabled as boolean,
    format: item.format as Endpoint['format'],
    subscriptions: item.subscriptions as Endpoint['subscriptions'],
    routing: item.routing as Endpoint['routing'],
    maxConcurrency: item.maxConcurrency as number,
    previousSecretExpiresAt: previous && now() < previous.expiresAt ? previous.expiresAt : null,
    createdAt: item.createdAt as number,
    updatedAt: item.updatedAt as number,
  };
}

function secrets(item: Item): EndpointSecrets {
  return {
    current: item.sealedSecret as string,
    previous: (item.previousSecret as EndpointSecrets['previous'] | undefined) ?? null,
  };
}

/** So many are read at each event of the workspace, in one query. */
const endpointsMax = 50;

const notFound = () => new Problem('not_found', 'There is no such webhook endpoint.');

/**
 * Makes an endpoint. `secret` is its plaintext, to be shown this once: `whsec_` and 32 random bytes.
 *
 * @throws Problem invalid_request where the workspace has as many endpoints as it may
 */
export async function createEndpoint(
  workspaceId: WorkspaceId,
  settings: EndpointSettings,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const existing = await queryAll(endpoints(workspaceId));
  if (existing.length >= endpointsMax) {
    throw new Problem('invalid_request', `A workspace has at most ${endpointsMax} webhook endpoints.`);
  }
  const secret = `whsec_${newToken(32)}`;
  const at = now();
  const item: Item = {
    ...endpointKey(workspaceId, newId('whk')),
    ...settings,
    format: 'v2',
    sealedSecret: await seal(secret, secretContext(workspaceId)),
    createdAt: at,
    updatedAt: at,
  };
  await transact([{ as: 'endpoint', put: item, ...absent }]);
  return { endpoint: endpoint(item), secret };
}

/** An endpoint of the workspace. @throws Problem not_found */
export async function getEndpoint(workspaceId: WorkspaceId, id: EndpointId): Promise<Endpoint> {
  const found = await findEndpoint(workspaceId, id);
  if (!found) throw notFound();
  return found.endpoint;
}

/** An endpoint with what signs for it, or null. */
export async function findEndpoint(
  workspaceId: WorkspaceId,
  id: EndpointId,
): Promise<{ endpoint: Endpoint; secrets: EndpointSecrets } | null> {
  const item = await get(endpointKey(workspaceId, id));
  return item && { endpoint: endpoint(item), secrets: secrets(item) };
}

/** A page of endpoints, oldest first. */
export async function listEndpoints(
  workspaceId: WorkspaceId,
  paging: { limit: number; after: string | null },
): Promise<Page<Endpoint>> {
  const page = await listPage({ pk: endpoints(workspaceId), order: 'oldest first', ...paging });
  return { items: page.items.map(endpoint), next: page.next };
}

/** Every endpoint of the workspace; their number is limited. */
export async function allEndpoints(workspaceId: WorkspaceId): Promise<Endpoint[]> {
  const items = await queryAll(endpoints(workspaceId));
  return items.map(endpoint);
}

/**
 * Changes what `change` names, and leaves the rest to whoever changes that at the same time.
 *
 * @throws Problem not_found
 */
export async function updateEndpoint(
  workspaceId: WorkspaceId,
  id: EndpointId,
  change: { readonly [Name in keyof EndpointSettings]?: EndpointSettings[Name] | undefined },
): Promise<Endpoint> {
  const changed = Object.entries({ ...change, updatedAt: now() }).filter(([, value]) => value !== undefined);
  try {
    await transact([
      {
        as: 'endpoint',
        update: endpointKey(workspaceId, id),
        UpdateExpression: `SET ${changed.map(([name]) => `#${name} = :${name}`).join(', ')}`,
        ...present,
        ExpressionAttributeNames: Object.fromEntries(changed.map(([name]) => [`#${name}`, name])),
        ExpressionAttributeValues: Object.fromEntries(changed.map(([name, value]) => [`:${name}`, value])),
      },
    ]);
  } catch (error) {
    if (error instanceof ConditionFailed) throw notFound();
    throw error;
  }
  return await getEndpoint(workspaceId, id);
}

/** Deletes an endpoint, effective with the next attempt. @throws Problem not_found */
export async function deleteEndpoint(workspaceId: WorkspaceId, id: EndpointId): Promise<void> {
  const existed = await ifUnchanged([{ as: 'endpoint', delete: endpointKey(workspaceId, id), ...present }]);
  if (!existed) throw notFound();
}
