/**
 * SES tenants, one for each workspace and region, named by the workspace's id (docs/decisions/0050-ses-tenants.md). A tenant
 * is made when its workspace first sends; mail does not wait for it.
 */
import { ManagementRefused } from '../../adapters/ses-management.ts';
import {
  associateIdentity,
  deleteTenant,
  dissociateIdentity,
  tenantsOf,
} from '../../adapters/ses-tenants.ts';
import { parseId, type WorkspaceId } from '../../core/ids.ts';
import type { SyncTenant } from '../../core/queue-messages.ts';
import { env } from '../../env.ts';
import { logEvent } from '../../observability/log.ts';
import { addTenantIdentity, removeTenantIdentity } from '../../storage/sending/tenants.ts';

/** Processes a `sync-tenant` message. Idempotent. @throws ManagementBusy: to be repeated */
export async function syncTenant({ workspaceId, region, identity }: SyncTenant): Promise<void> {
  if (identity === null) return await deleteTenant(region, workspaceId);
  try {
    await associateIdentity(region, workspaceId, identity);
  } catch (error) {
    if (!(error instanceof ManagementRefused)) throw error;
    logEvent('tenant.refused', { region, workspace_id: workspaceId, reason: error.message });
    return;
  }
  await addTenantIdentity(workspaceId, region, identity);
}

/** Ends all associations of an identity that is about to be deleted. */
export async function releaseIdentity(region: string, identity: string): Promise<void> {
  if (env().SES_TENANTS === 'off') return;
  for (;;) {
    const tenants = await tenantsOf(region, identity);
    if (tenants.length === 0) return;
    for (const tenant of tenants) {
      const workspaceId: WorkspaceId | null = parseId('wks', tenant);
      // First the record: mail goes without the tenant before the tenant loses the identity.
      if (workspaceId) await removeTenantIdentity(workspaceId, region, identity);
      await dissociateIdentity(region, tenant, identity);
    }
  }
}
