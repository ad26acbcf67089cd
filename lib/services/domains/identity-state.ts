/** Whether SES accepts mail of a domain. */
import type { SenderDomain } from '../../core/domains/sender-domain.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { findIdentity, isProvidedReady } from '../../storage/domains/identities.ts';

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
