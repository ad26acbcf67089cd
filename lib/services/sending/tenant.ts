/** The SES tenant that an email is submitted for (docs/decisions/0050-ses-tenants.md). */
import { now } from '../../adapters/clock.ts';
import type { SenderDomain } from '../../core/domains/sender-domain.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { Recent } from '../../core/work/recent.ts';
import { env } from '../../env.ts';
import { hasTenantIdentity } from '../../storage/sending/tenants.ts';
import { commit } from '../../storage/table/transactions.ts';

/** When this function last asked for a tenant. */
const asked = new Recent<string, number>();
const askEveryMs = 10 * 60_000;

/** The tenant's name; null where there is none, or it cannot send for this domain yet, which is then arranged. */
export async function tenantOf(workspaceId: WorkspaceId, sender: SenderDomain): Promise<string | null> {
  if (env().SES_TENANTS === 'off') return null;
  const { region } = sender;
  const identity = identityNameOf(sender);
  if (await hasTenantIdentity(workspaceId, region, identity)) return workspaceId;
  const key = `${workspaceId} ${region} ${identity}`;
  if (now() - (asked.get(key) ?? 0) >= askEveryMs) {
    asked.set(key, now());
    const message = { kind: 'sync-tenant', v: 1, workspaceId, region, identity } as const;
    await commit(workspaceId, [], [{ message }]);
  }
  return null;
}

/** The identity of the provided domain is that of all workspaces. */
export function identityNameOf({ provided, name }: Pick<SenderDomain, 'provided' | 'name'>): string {
  return provided ? env().PROVIDED_DOMAIN : name;
}
