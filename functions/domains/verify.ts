/** Checks the DNS records of a domain. */
import { presentDomainWithRecords } from '../../lib/http/presenters/domain.ts';
import { serve } from '../../lib/http/serve.ts';
import { verifyDomain } from '../../lib/services/domains/check-domain.ts';
import { getDomain } from '../../lib/services/domains/domains.ts';
import { findingsOf, retryFailedIdentity } from '../../lib/services/domains/identity-findings.ts';
import { verifyDomainOperation } from './verify.contract.ts';

export const handler = serve(verifyDomainOperation, async ({ caller: { workspaceId }, params }) => {
  const domain = await verifyDomain(workspaceId, await getDomain(workspaceId, params.domain_id));
  await retryFailedIdentity(workspaceId, domain);
  return { status: 200, body: presentDomainWithRecords(domain, await findingsOf(domain)) };
});
