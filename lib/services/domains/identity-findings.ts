/** Findings of a domain that SES refused, for its owner. */
import { now } from '../../adapters/clock.ts';
import { type Finding, identityFinding } from '../../core/domains/findings.ts';
import type { SesIdentity } from '../../core/domains/sender-domain.ts';
import type { SendingDomain } from '../../core/domains/sending-domain.ts';
import type { DomainId, WorkspaceId } from '../../core/ids.ts';
import { findIdentities, findIdentity } from '../../storage/domains/identities.ts';
import { commit } from '../../storage/table/transactions.ts';
import { syncIdentityMessage } from './sync-identity-message.ts';

/** The SES identity of a verified domain; null where it has none of its own: a subdomain uses that of its wildcard. */
async function ownIdentity(domain: SendingDomain): Promise<SesIdentity | null> {
  if (domain.provided || domain.parentId || domain.verifiedAt === null) return null;
  return await findIdentity(domain.region, domain.name);
}

/** The ids of those domains whose identity SES refuses. A subdomain uses that of its wildcard. */
export async function refusedDomains(domains: readonly SendingDomain[]): Promise<ReadonlySet<DomainId>> {
  const verified = domains.filter(({ provided, verifiedAt }) => !provided && verifiedAt !== null);
  const own = verified.filter(({ parentId }) => parentId === null);
  const identities = await findIdentities(own);
  const refused = new Set(own.filter((_, at) => identities[at]?.failure).map(({ id }) => id));
  const subdomains = verified.filter(({ parentId }) => parentId !== null && refused.has(parentId));
  return new Set([...refused, ...subdomains.map(({ id }) => id)]);
}

/** What keeps a domain from sending although its records are published. */
export async function findingsOf(domain: SendingDomain): Promise<Finding[]> {
  const identity = await ownIdentity(domain);
  const finding = identity && identityFinding(identity);
  return finding ? [finding] : [];
}

/** Allows a retry right after a correction; more frequent ones are of no use. */
const retryAfterMs = 60_000;

/** Retries a failed identity. @param domain as it was just verified */
export async function retryFailedIdentity(workspaceId: WorkspaceId, domain: SendingDomain): Promise<void> {
  const identity = await ownIdentity(domain);
  if (!identity?.failure || now() < identity.failure.at + retryAfterMs) return;
  await commit(workspaceId, [], [syncIdentityMessage(workspaceId, domain)]);
}
