/** Deletes a domain. */
import { serve } from '../../lib/http/serve.ts';
import { deleteDomain } from '../../lib/services/domains/domains.ts';
import { deleteDomainOperation } from './delete.contract.ts';

export const handler = serve(deleteDomainOperation, async ({ caller, params }) => {
  await deleteDomain(caller.workspaceId, params.domain_id);
  return { status: 204, body: null };
});
