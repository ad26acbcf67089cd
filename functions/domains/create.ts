/** Adds a domain. */
import { presentDomainWithRecords } from '../../lib/http/records/domain.ts';
import { serve } from '../../lib/http/serve.ts';
import { addDomain } from '../../lib/services/domain-create.ts';
import { createDomainOperation } from './create.contract.ts';

export const handler = serve(createDomainOperation, async ({ caller, body }) => {
  const { name, region, space_id: spaceId } = body;
  const domain = await addDomain(caller.workspaceId, { name, region, spaceId });
  return { status: 201, body: presentDomainWithRecords(domain) };
});
