/** Changes what a domain tracks. */
import { presentDomainWithRecords } from '../../lib/http/records/domain.ts';
import { serve } from '../../lib/http/serve.ts';
import { getShownDomain } from '../../lib/services/domain-check.ts';
import { changeTracking } from '../../lib/services/domain-tracking.ts';
import { updateDomainOperation } from './update.contract.ts';

export const handler = serve(updateDomainOperation, async ({ caller: { workspaceId }, params, body }) => {
  const { track_opens: opens, track_clicks: clicks } = body;
  await changeTracking(workspaceId, params.domain_id, { opens, clicks });
  return { status: 200, body: presentDomainWithRecords(await getShownDomain(workspaceId, params.domain_id)) };
});
