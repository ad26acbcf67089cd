/** Changes the tracking of a domain. */
import { presentDomainWithRecords } from '../../lib/http/presenters/domain.ts';
import { serve } from '../../lib/http/serve.ts';
import { getDomainWithParent } from '../../lib/services/domains/check-domain.ts';
import { changeTracking } from '../../lib/services/domains/update-tracking.ts';
import { updateDomainOperation } from './update.contract.ts';

export const handler = serve(updateDomainOperation, async ({ caller: { workspaceId }, params, body }) => {
  const { track_opens: opens, track_clicks: clicks } = body;
  await changeTracking(workspaceId, params.domain_id, { opens, clicks });
  return {
    status: 200,
    body: presentDomainWithRecords(await getDomainWithParent(workspaceId, params.domain_id)),
  };
});
