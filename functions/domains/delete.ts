/** Deletes a domain. */
import { serve } from '../../lib/http/serve.ts';
import { syncIdentityMessage } from '../../lib/services/domains/check-domain.ts';
import { deleteDomain } from '../../lib/storage/domains.ts';
import { deleteDomainOperation } from './delete.contract.ts';

export const handler = serve(deleteDomainOperation, async ({ caller: { workspaceId }, params }) => {
  // A subdomain uses the SES identity of its wildcard.
  await deleteDomain(workspaceId, params.domain_id, (deleted) =>
    deleted.parentId ? [] : [syncIdentityMessage(workspaceId, deleted)],
  );
  return { status: 204, body: null };
});
