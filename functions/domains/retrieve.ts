/** Retrieves a domain. */
import { presentDomainWithRecords } from '../../lib/http/records/domain.ts';
import { serve } from '../../lib/http/serve.ts';
import { getShownDomain } from '../../lib/services/domain-check.ts';
import { retrieveDomainOperation } from './retrieve.contract.ts';

export const handler = serve(retrieveDomainOperation, async ({ caller, params }) => {
  const domain = await getShownDomain(caller.workspaceId, params.domain_id);
  return { status: 200, body: presentDomainWithRecords(domain) };
});
