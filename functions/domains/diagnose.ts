/** Diagnoses the DNS records of a domain. */
import { presentFinding } from '../../lib/http/presenters/domain-finding.ts';
import { serve } from '../../lib/http/serve.ts';
import { diagnoseDomain } from '../../lib/services/domains/diagnose-domain.ts';
import { getDomain } from '../../lib/services/domains/domains.ts';
import { diagnoseDomainOperation } from './diagnose.contract.ts';

export const handler = serve(diagnoseDomainOperation, async ({ caller: { workspaceId }, params }) => {
  const domain = await getDomain(workspaceId, params.domain_id);
  const findings = await diagnoseDomain(workspaceId, domain);
  return { status: 200, body: { data: findings.map(presentFinding) } };
});
