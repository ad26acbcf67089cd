/** The SES tenant of a workspace in a region: the identities that it can send with. */
import type { WorkspaceId } from '../core/ids.ts';
import { codec, setOf, text } from './codec.ts';
import { tenantKey } from './keys.ts';
import { get, updateIf } from './table.ts';

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
  await change('ADD', workspaceId, region, identity);
}

export async function removeTenantIdentity(
  workspaceId: WorkspaceId,
  region: string,
  identity: string,
): Promise<void> {
  await change('DELETE', workspaceId, region, identity, { ConditionExpression: 'attribute_exists(pk)' });
}

async function change(
  action: 'ADD' | 'DELETE',
  workspaceId: WorkspaceId,
  region: string,
  identity: string,
  condition: { readonly ConditionExpression?: string } = {},
) {
  await updateIf(tenantKey(workspaceId, region), {
    ...condition,
    UpdateExpression: `${action} #identities :identity`,
    ExpressionAttributeNames: { '#identities': 'identities' },
    ExpressionAttributeValues: { ':identity': new Set([identity]) },
  });
}
