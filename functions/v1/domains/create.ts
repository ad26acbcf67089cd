/** Adds a domain, in version 1. */
import { presentV1Records } from '../../../lib/http/presenters/v1/domain.ts';
import { serve } from '../../../lib/http/serve.ts';
import { createSendingDomain } from '../../../lib/services/domains/create-domain.ts';
import { createV1DomainOperation } from './create.contract.ts';

export const handler = serve(createV1DomainOperation, async ({ caller, body }) => {
  const input = { name: body.domain, region: undefined, spaceId: null };
  const domain = await createSendingDomain(caller.workspaceId, input);
  return { status: 200, body: { domainId: domain.id, records: presentV1Records(domain) } };
});
