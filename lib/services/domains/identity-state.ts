/** Whether SES accepts mail of a domain, and what a domain's owner is told when it does not. */
import { now } from '../../adapters/clock.ts';
import { type Finding, identityFinding } from '../../core/domains/findings.ts';
import type { SenderDomain } from '../../core/domains/sender-domain.ts';
import type { SendingDomain } from '../../core/domains/sending-domain.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { findIdentity, isProvidedReady } from '../../storage/identities.ts';
import { commit } from '../../storage/transactions.ts';
import { syncIdentityMessage } from './sync-identity-message.ts';

export type IdentityState = 'ready' | 'pending' | 'failed';

/** Whether SES accepts mail of this domain. The provided domain's identity is part of the deployment. */
export async function identityStateOf({ provided, region, name }: SenderDomain): Promise<IdentityState> {
  if (provided) return (await isProvidedReady(region)) ? 'ready' : 'pending';
  const identity = await findIdentity(region, name);
  if (identity?.failure) return 'failed';
  return identity?.ready ? 'ready' : 'pending';
}

/** What keeps a domain from sending although its records are published. */
export async function findingsOf(domain: SendingDomain): Promise<Finding[]> {
  // A subdomain uses the identity of its wildcard, which has the finding.
  if (domain.provided || domain.parentId || domain.verifiedAt === null) return [];
  const identity = await findIdentity(domain.region, domain.name);
  const finding = identity && identityFinding(identity);
  return finding ? [finding] : [];
}

/** A person who corrects something asks again at once; more often is of no use. */
const retryAfterMs = 60_000;

/** Tries a failed identity again. @param domain as it was just verified */
export async function retryFailedIdentity(workspaceId: WorkspaceId, domain: SendingDomain): Promise<void> {
  if (domain.provided || domain.parentId || domain.verifiedAt === null) return;
  const identity = await findIdentity(domain.region, domain.name);
  if (!identity?.failure || now() < identity.failure.at + retryAfterMs) return;
  await commit(workspaceId, [], [syncIdentityMessage(workspaceId, domain)]);
}
