/** Lists domains, in version 1. */
import { presentV1Domain } from '../../../lib/http/presenters/v1/domain.ts';
import { serve } from '../../../lib/http/serve.ts';
import { listAllDomains } from '../../../lib/services/domains/domains.ts';
import { refusedDomains } from '../../../lib/services/domains/identity-findings.ts';
import { listV1DomainsOperation } from './list.contract.ts';

export const handler = serve(listV1DomainsOperation, async ({ caller }) => {
  const domains = await listAllDomains(caller.workspaceId);
  const refused = await refusedDomains(domains);
  return {
    status: 200,
    body: { domains: domains.map((domain) => presentV1Domain(domain, refused.has(domain.id))) },
  };
});
