/** The SES tenant of a workspace in a region: the identities that it can send with. */
import type { WorkspaceId } from '../../core/ids.ts';
import type { QueueMessage } from '../../core/queue-messages.ts';
import { codec, setOf, text } from '../table/codec.ts';
import { type Key, tenantKey, tenantPrefix } from '../table/keys.ts';
import { get } from '../table/reads.ts';
import { queryAll, updateIf } from '../table/table.ts';
import { commit } from '../table/transactions.ts';

const tenantCodec = codec<{ readonly identities: ReadonlySet<string> }>('tenant', {
  identities: setOf(text),
});

/** Whether the tenant can send with an identity. */
export async function hasTenantIdentity(
  workspaceId: WorkspaceId,
  region: string,
  identity: string,
): Promise<boolean> {
  const item = await get(tenantKey(workspaceId, region));
  return item !== null && tenantCodec.decode(item).identities.has(identity);
}

export async function addTenantIdentity(
  workspaceId: WorkspaceId,
  region: string,
  identity: string,
): Promise<void> {
  await change('ADD', tenantKey(workspaceId, region), identity);
}

export async function removeTenantIdentity(
  workspaceId: WorkspaceId,
  region: string,
  identity: string,
): Promise<void> {
  await change('DELETE', tenantKey(workspaceId, region), identity, {
    ConditionExpression: 'attribute_exists(pk)',
  });
}

async function change(
  action: 'ADD' | 'DELETE',
  tenant: Key,
  identity: string,
  condition: { readonly ConditionExpression?: string } = {},
) {
  await updateIf(tenant, {
    ...condition,
    UpdateExpression: `${action} #identities :identity`,
    ExpressionAttributeNames: { '#identities': 'identities' },
    ExpressionAttributeValues: { ':identity': new Set([identity]) },
  });
}

/** Removes the records of a workspace's tenants, with the messages that delete them; the number of records. */
export async function removeTenants(workspaceId: WorkspaceId): Promise<number> {
  const items = await queryAll(tenantKey(workspaceId, '').pk, tenantPrefix);
  for (const { pk, sk } of items) {
    const region = sk.slice(tenantPrefix.length);
    const message: QueueMessage = { kind: 'sync-tenant', v: 1, workspaceId, region, identity: null };
    await commit(workspaceId, [{ as: 'tenant', delete: { pk, sk } }], [{ message }]);
  }
  return items.length;
}
