/** Deletes a domain, in version 1. */
import { successV1 } from '../../../lib/http/presenters/v1/success.ts';
import { serve } from '../../../lib/http/serve.ts';
import { deleteDomain } from '../../../lib/services/domains/domains.ts';
import { deleteV1DomainOperation } from './delete.contract.ts';

export const handler = serve(deleteV1DomainOperation, async ({ caller, params }) => {
  await deleteDomain(caller.workspaceId, params.domainId);
  return { status: 200, body: successV1 };
});
