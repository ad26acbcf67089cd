/** Webhook endpoints of a workspace, each with its sealed signing secrets. */
import { now } from '../../adapters/clock.ts';
import type { EndpointId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Page, Paging } from '../../core/page.ts';
import {
  clickEvents,
  type Endpoint,
  type EndpointChange,
  type EndpointSecrets,
  endpointFormats,
} from '../../core/webhooks/endpoint.ts';
import { eventTypes, isNewType } from '../../core/webhooks/event-types.ts';
import { includedParts } from '../../core/webhooks/included.ts';
import { type RoutingRule, routingEffects, routingFields } from '../../core/webhooks/routing.ts';
import {
  codec,
  flag,
  id,
  knownAs,
  list,
  nullable,
  number,
  object,
  oneOf,
  sortKey,
  sparseList,
  text,
  withDefault,
} from '../table/codec.ts';
import { countCreated, countDeleted } from '../table/counters.ts';
import { absentIn, expressionsOf } from '../table/expressions.ts';
import { endpointKey, endpoints } from '../table/keys.ts';
import { listPage } from '../table/paging.ts';
import { get } from '../table/reads.ts';
import { type Item, queryAll, updateIf } from '../table/table.ts';
import { absent, commitIfUnchanged, present } from '../table/transactions.ts';

const routingField = list(
  object<RoutingRule>({ effect: oneOf(routingEffects), field: oneOf(routingFields), pattern: text }),
);
const previousSecretField = nullable(
  object<NonNullable<EndpointSecrets['previous']>>({ sealed: text, expiresAt: number }),
);

interface StoredEndpoint extends Omit<Endpoint, 'previousSecretExpiresAt'> {
  readonly sealedSecret: EndpointSecrets['current'];
  readonly previousSecret: EndpointSecrets['previous'];
}

const endpointCodec = codec<StoredEndpoint>('webhook endpoint', {
  id: sortKey(id('whk')),
  url: text,
  enabled: flag,
  format: oneOf(endpointFormats),
  clickEvent: oneOf(clickEvents),
  subscriptions: knownAs(list(oneOf(eventTypes)), (types) =>
    types.some(isNewType) ? types.filter((type) => !isNewType(type)) : types,
  ),
  routing: routingField,
  maxConcurrency: number,
  include: sparseList(oneOf(includedParts)),
  consecutiveFailures: withDefault(number, 0),
  createdAt: number,
  updatedAt: number,
  sealedSecret: nullable(text),
  previousSecret: previousSecretField,
});

/** An endpoint with its sealed secrets. */
export interface FoundEndpoint {
  readonly endpoint: Endpoint;
  readonly secrets: EndpointSecrets;
}

function decode(item: Item): FoundEndpoint {
  const { sealedSecret, previousSecret, ...endpoint } = endpointCodec.decode(item);
  const isInGrace = previousSecret !== null && now() < previousSecret.expiresAt;
  return {
    endpoint: { ...endpoint, previousSecretExpiresAt: isInGrace ? previousSecret.expiresAt : null },
    secrets: { current: sealedSecret, previous: previousSecret },
  };
}

/**
 * Stores a new endpoint with its sealed secret. False where the workspace has `limits.endpoints`: nothing was written.
 *
 * @param sealedSecret null: requests are not signed, which only the format `v1` allows
 */
export async function createEndpoint(
  workspaceId: WorkspaceId,
  { previousSecretExpiresAt: _, ...endpoint }: Endpoint,
  sealedSecret: string | null,
): Promise<boolean> {
  const attributes = endpointCodec.encode({ ...endpoint, sealedSecret, previousSecret: null });
  return await commitIfUnchanged(workspaceId, [
    countCreated(workspaceId, 'endpoints', limits.endpoints),
    { as: 'endpoint', put: { ...endpointKey(workspaceId, endpoint.id), ...attributes }, ...absent },
  ]);
}

/** An endpoint with its sealed secrets, or null. */
export async function findEndpoint(workspaceId: WorkspaceId, id: EndpointId): Promise<FoundEndpoint | null> {
  const item = await get(endpointKey(workspaceId, id));
  return item && decode(item);
}

/** A page of endpoints, oldest first. */
export async function listEndpoints(workspaceId: WorkspaceId, paging: Paging): Promise<Page<Endpoint>> {
  const page = await listPage({ pk: endpoints(workspaceId), order: 'oldest first', ...paging });
  return { items: page.items.map((item) => decode(item).endpoint), next: page.next };
}

/** Every endpoint of the workspace; their number is limited. */
export async function listAllEndpoints(workspaceId: WorkspaceId): Promise<Endpoint[]> {
  const items = await queryAll(endpoints(workspaceId));
  return items.map((item) => decode(item).endpoint);
}

/** Changes the properties that `change` names; null where there is no such endpoint. */
export async function updateEndpoint(
  workspaceId: WorkspaceId,
  id: EndpointId,
  change: EndpointChange,
): Promise<Endpoint | null> {
  // A resumed endpoint begins without failures.
  const resumed = change.enabled ? { consecutiveFailures: 0 } : {};
  const { subscriptions, ...others } = change;
  const subscribed = subscriptions && endpointCodec.part({ subscriptions });
  const expressions = expressionsOf(
    { set: { ...others, ...subscribed, ...resumed, updatedAt: now() }, remove: absentIn(subscribed) },
    { exists: true },
  );
  const item = await updateIf(endpointKey(workspaceId, id), expressions);
  return item && decode(item).endpoint;
}

/**
 * Counts the outcome of an attempt at an endpoint of format `v1`, and pauses the endpoint at the failure number
 * `failuresMax` in a row. True where this failure paused it.
 */
export async function countOutcome(
  workspaceId: WorkspaceId,
  { id, consecutiveFailures }: Pick<Endpoint, 'id' | 'consecutiveFailures'>,
  isSuccess: boolean,
  failuresMax: number,
): Promise<boolean> {
  const key = endpointKey(workspaceId, id);
  if (isSuccess) {
    const reset = expressionsOf({ set: { consecutiveFailures: 0 } }, { exists: true });
    if (consecutiveFailures > 0) await updateIf(key, reset);
    return false;
  }
  const counted = expressionsOf({ increment: { consecutiveFailures: 1 } }, { exists: true });
  const item = await updateIf(key, counted);
  if (!item || decode(item).endpoint.consecutiveFailures < failuresMax) return false;
  const paused = { set: { enabled: false, updatedAt: now() } };
  return (await updateIf(key, expressionsOf(paused, { equal: { enabled: true } }))) !== null;
}

/** Replaces the secrets of an endpoint; null where there is none, or its secrets are not `before` any more. */
export async function replaceSecrets(
  workspaceId: WorkspaceId,
  id: EndpointId,
  before: EndpointSecrets,
  after: EndpointSecrets,
): Promise<Endpoint | null> {
  const change = {
    sealedSecret: after.current,
    previousSecret: previousSecretField.write(after.previous) ?? null,
    updatedAt: now(),
  };
  const require = before.current === null ? { exists: true } : { equal: { sealedSecret: before.current } };
  const expressions = expressionsOf({ set: change }, require);
  const item = await updateIf(endpointKey(workspaceId, id), expressions);
  return item && decode(item).endpoint;
}

/** Deletes an endpoint, effective with the next attempt. False where there is none. */
export async function deleteEndpoint(workspaceId: WorkspaceId, id: EndpointId): Promise<boolean> {
  return await commitIfUnchanged(workspaceId, [
    countDeleted(workspaceId, 'endpoints'),
    { as: 'endpoint', delete: endpointKey(workspaceId, id), ...present },
  ]);
}
