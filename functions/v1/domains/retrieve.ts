/** Retrieves a domain, in version 1. */
import { presentV1Domain } from '../../../lib/http/presenters/v1/domain.ts';
import { serve } from '../../../lib/http/serve.ts';
import { getDomainWithParent } from '../../../lib/services/domains/domains.ts';
import { refusedDomains } from '../../../lib/services/domains/identity-findings.ts';
import { retrieveV1DomainOperation } from './retrieve.contract.ts';

export const handler = serve(retrieveV1DomainOperation, async ({ caller, params }) => {
  const domain = await getDomainWithParent(caller.workspaceId, params.domainId);
  const refused = await refusedDomains([domain]);
  return { status: 200, body: presentV1Domain(domain, refused.has(domain.id)) };
});
