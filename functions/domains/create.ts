/** Adds a domain. */
import { presentDomainWithRecords } from '../../lib/http/presenters/domain.ts';
import { serve } from '../../lib/http/serve.ts';
import { createSendingDomain } from '../../lib/services/domains/create-domain.ts';
import { createDomainOperation } from './create.contract.ts';

export const handler = serve(createDomainOperation, async ({ caller, body }) => {
  const { name, region, space_id: spaceId } = body;
  const domain = await createSendingDomain(caller.workspaceId, { name, region, spaceId });
  return { status: 201, body: presentDomainWithRecords(domain, []) };
});
