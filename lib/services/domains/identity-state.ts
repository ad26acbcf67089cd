/** Whether SES accepts mail of a domain. */
import { now } from '../../adapters/clock.ts';
import type { SenderDomain } from '../../core/domains/sender-domain.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { Recent } from '../../core/work/recent.ts';
import { findIdentity, isProvidedReady, noteWanted } from '../../storage/domains/identities.ts';
import { commitIfUnchanged } from '../../storage/table/transactions.ts';

export type IdentityState = 'ready' | 'pending' | 'failed';

/**
 * Whether SES accepts mail of this domain. The provided domain's identity is part of the deployment. Mail is signed with
 * the key of another workspace only while the domain's own key is published, too.
 */
export async function identityStateOf(
  workspaceId: WorkspaceId,
  { provided, region, name, isPublished }: Pick<SenderDomain, 'provided' | 'region' | 'name' | 'isPublished'>,
): Promise<IdentityState> {
  if (provided) return (await isProvidedReady(region)) ? 'ready' : 'pending';
  const identity = await findIdentity(region, name);
  if (identity?.failure) return 'failed';
  if (!identity?.ready) return 'pending';
  return identity.workspaceId === workspaceId || isPublished ? 'ready' : 'pending';
}

/** When this function last asked. */
const asked = new Recent<string, number>();
const askEveryMs = 10 * 60_000;

/** Lets a domain whose mail waits for its identity go ahead of those without mail, once. */
export async function wantIdentity(
  workspaceId: WorkspaceId,
  { provided, region, name, domainId }: Pick<SenderDomain, 'provided' | 'region' | 'name' | 'domainId'>,
): Promise<void> {
  const key = `${region} ${name}`;
  if (provided || now() - (asked.get(key) ?? 0) < askEveryMs) return;
  asked.set(key, now());
  const message = { kind: 'sync-identity', v: 1, workspaceId, domainId, region, name, polls: 0 } as const;
  await commitIfUnchanged(workspaceId, [noteWanted(region, name)], [{ message }]);
}
