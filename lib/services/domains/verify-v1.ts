/** Verification of a domain with everything that version 1 reports about it (docs/concepts/v1.md#domains). */
import type { SendingDomain } from '../../core/domains/sending-domain.ts';
import { providedVerification, type Verification, verificationOf } from '../../core/domains/verification.ts';
import type { DomainId, WorkspaceId } from '../../core/ids.ts';
import { verifyDomain } from './check-domain.ts';
import { examineDomain } from './diagnose-domain.ts';
import { getDomain } from './domains.ts';
import { retryFailedIdentity } from './identity-findings.ts';
import { identityStateOf } from './identity-state.ts';

export interface VerifiedDomain {
  readonly domain: SendingDomain;
  readonly verification: Verification;
  /** SES refuses the domain although its DKIM record was found. */
  readonly isRefused: boolean;
}

/** Checks a domain now, as `verifyDomain`, and looks up what its zone has. @throws Problem not_found */
export async function verifyWithReport(workspaceId: WorkspaceId, id: DomainId): Promise<VerifiedDomain> {
  const domain = await verifyDomain(workspaceId, await getDomain(workspaceId, id));
  await retryFailedIdentity(workspaceId, domain);
  if (domain.provided) {
    const verification = providedVerification(domain, await acceptanceOf(workspaceId, domain));
    return { domain, verification, isRefused: false };
  }
  const { examined, ...live } = await examineDomain(workspaceId, domain);
  const checked = domain.parentId ? examined : domain;
  const acceptance = await acceptanceOf(workspaceId, checked);
  return {
    domain,
    verification: verificationOf(checked, live, acceptance),
    isRefused: acceptance === 'failed',
  };
}

/** Whether SES accepts mail of a domain. Before its key is found, SES has no identity of it. */
async function acceptanceOf(workspaceId: WorkspaceId, domain: SendingDomain) {
  if (!domain.provided && domain.verifiedAt === null) return 'pending';
  return await identityStateOf(workspaceId, { ...domain, isPublished: domain.missing === null });
}
