/**
 * Removal of what belongs to a workspace as a whole (docs/decisions/0047-teardown-of-spaces.md#erased-workspaces). Each
 * function removes a part of what it finds, what leads to other items last, and returns the number of records that it
 * found: 0 when nothing is left.
 */
import { deleteObject, listObjects } from '../../adapters/objects.ts';
import type { EndpointId, WorkspaceId } from '../../core/ids.ts';
import { allDone } from '../../core/work/all-done.ts';
import { removeOrphans } from '../emails/attachments.ts';
import { contentPrefix } from '../emails/email-content.ts';
import { uploadsPrefix } from '../emails/uploads.ts';
import { listConnections, removeConnections } from '../live/connections.ts';
import { findPacer } from '../pacing/pacer-states.ts';
import { removeTree } from '../pacing/pacing-tree.ts';
import { removeTimer } from '../table/jobs.ts';
import * as keys from '../table/keys.ts';
import { type ListInput, listPage } from '../table/paging.ts';
import { queryAll, removeAll } from '../table/table.ts';
import { listEndpoints } from '../webhooks/endpoints.ts';
import { listAllKeys } from '../workspaces/api-keys.ts';
import { listAuditToRemove } from '../workspaces/audit.ts';
import { membershipsAmong } from '../workspaces/members.ts';
import { listSpaces } from '../workspaces/spaces.ts';

/** Items removed by one call. */
const itemsAtOnce = 500;
const objectsAtOnce = 50;

/** Removes all API keys: none of them is accepted from then on. */
export async function removeKeys(workspaceId: WorkspaceId): Promise<number> {
  const found = await listAllKeys(workspaceId);
  await removeAll(found.map(({ hash }) => keys.keyHashKey(hash)));
  await removeAll(found.map(({ id }) => keys.apiKeyKey(workspaceId, id)));
  return found.length;
}

/** Removes items of the first endpoint, and the endpoint after its last item. */
export async function removeEndpoints(workspaceId: WorkspaceId): Promise<number> {
  const { items } = await listEndpoints(workspaceId, { limit: 1, after: null });
  const [endpoint] = items;
  if (!endpoint) return 0;
  const waiting = await removeFrom(keys.waitingDeliveries(workspaceId, endpoint.id));
  const found = waiting || (await removeFrom(keys.deliveries(workspaceId, endpoint.id)));
  if (found === 0) await removeEndpoint(workspaceId, endpoint.id);
  return Math.max(1, found);
}

async function removeEndpoint(workspaceId: WorkspaceId, endpointId: EndpointId): Promise<void> {
  await removeAll([
    keys.endpointStateKey(workspaceId, endpointId),
    keys.endpointKey(workspaceId, endpointId),
  ]);
}

/** Removes spaces with their external ids. */
export async function removeSpaces(workspaceId: WorkspaceId): Promise<number> {
  const { items } = await listSpaces(workspaceId, { limit: itemsAtOnce, after: null });
  await removeAll(
    items.flatMap(({ externalId }) =>
      externalId === null ? [] : [keys.externalIdKey(workspaceId, externalId)],
    ),
  );
  await removeAll(items.map(({ id }) => keys.spaceKey(workspaceId, id)));
  return items.length;
}

/** Removes objects of the content bucket, also those that no item names. */
export async function removeObjects(workspaceId: WorkspaceId): Promise<number> {
  const prefixes = [contentPrefix(workspaceId), uploadsPrefix(workspaceId)];
  const found = (await Promise.all(prefixes.map((prefix) => listObjects(prefix, objectsAtOnce)))).flat();
  await allDone(found.map(deleteObject));
  return found.length;
}

/** Removes held emails and the state of their pacer. Slots of scope values have keys that are hashes; they expire. */
async function removePacing(workspaceId: WorkspaceId): Promise<number> {
  const { treeVersion, oldTrees, wakeAt } = await findPacer(workspaceId);
  for (const version of [...oldTrees, treeVersion]) {
    if (!(await removeTree(workspaceId, version))) return 1;
  }
  await removeTimer({ job: keys.pacerKey(workspaceId), at: wakeAt });
  let found = 0;
  for (const pk of [keys.heldEmails, keys.pacerInbox].map((of) => of(workspaceId)))
    found += await removeFrom(pk);
  return found + (await removeFrom(keys.pacerKey(workspaceId).pk));
}

/** Removes live connections: their keys and sessions are gone, so that nothing was sent to them since. */
async function removeLive(workspaceId: WorkspaceId): Promise<number> {
  const connections = await listConnections(workspaceId);
  await removeConnections(
    workspaceId,
    connections.map(({ id }) => id),
  );
  return connections.length;
}

/** Removes what no other phase finds. The item of the workspace and the progress of its erasure stay. */
export async function removeRest(workspaceId: WorkspaceId): Promise<number> {
  const { pk } = keys.workspaceKey(workspaceId);
  const kept = new Set([keys.workspaceKey, keys.deletedSpacesKey].map((key) => key(workspaceId).sk));
  const own = (await queryAll(pk)).filter(({ sk }) => !kept.has(sk));
  const erasure = keys.teardownKey(workspaceId, 'workspace');
  const ofSpaces = (await queryAll(erasure.pk)).filter(({ sk }) => sk !== erasure.sk);
  await removeAll(membershipsAmong(workspaceId, own));
  await removeAll([...own, ...ofSpaces, keys.requestBudgetKey(workspaceId)]);
  let found = own.length + ofSpaces.length;
  for (const partition of [
    keys.uploads,
    keys.threads,
    keys.notices,
    keys.sessions,
    keys.loginLinks,
    keys.usageDays,
    keys.liveTickets,
  ]) {
    found += await removeFrom(partition(workspaceId));
  }
  found += await removeLive(workspaceId);
  found += await removePacing(workspaceId);
  found += await removeOrphans(workspaceId, itemsAtOnce);
  // The stream has what the relay has not read. Each step of the teardown leaves one, so that a few are no reason for another.
  const messages = await removeFrom(keys.outbox(workspaceId));
  return found + (messages === itemsAtOnce ? messages : 0);
}

/** Removes audit entries, and the deleted keys that they name. */
export async function removeAudit(workspaceId: WorkspaceId): Promise<number> {
  const { entries, keyHashes } = await listAuditToRemove(workspaceId, itemsAtOnce);
  await removeAll(keyHashes.map(keys.keyHashKey));
  await removeAll(entries);
  return entries.length;
}

async function removeFrom(pk: ListInput['pk']): Promise<number> {
  const { items } = await listPage({ pk, order: 'oldest first', limit: itemsAtOnce, after: null });
  await removeAll(items);
  return items.length;
}
