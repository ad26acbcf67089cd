/** Changes the tracking of a domain. */
import { presentDomainWithRecords } from '../../lib/http/presenters/domain.ts';
import { serve } from '../../lib/http/serve.ts';
import { getDomainWithParent, updateTracking } from '../../lib/services/domains/domains.ts';
import { findingsOf } from '../../lib/services/domains/identity-findings.ts';
import { updateDomainOperation } from './update.contract.ts';

export const handler = serve(updateDomainOperation, async ({ caller: { workspaceId }, params, body }) => {
  const { track_opens: opens, track_clicks: clicks } = body;
  await updateTracking(workspaceId, params.domain_id, { opens, clicks });
  const domain = await getDomainWithParent(workspaceId, params.domain_id);
  return { status: 200, body: presentDomainWithRecords(domain, await findingsOf(domain)) };
});
