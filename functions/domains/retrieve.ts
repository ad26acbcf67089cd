/** Retrieves a domain. */
import { presentDomainWithRecords } from '../../lib/http/presenters/domain.ts';
import { serve } from '../../lib/http/serve.ts';
import { getDomainWithParent } from '../../lib/services/domains/domains.ts';
import { findingsOf } from '../../lib/services/domains/identity-findings.ts';
import { retrieveDomainOperation } from './retrieve.contract.ts';

export const handler = serve(retrieveDomainOperation, async ({ caller, params }) => {
  const domain = await getDomainWithParent(caller.workspaceId, params.domain_id);
  return { status: 200, body: presentDomainWithRecords(domain, await findingsOf(domain)) };
});
