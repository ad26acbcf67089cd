/** Lists the opens and clicks of an email. */
import { presentEngagement } from '../../lib/http/presenters/full-email.ts';
import { serve } from '../../lib/http/serve.ts';
import { listEmailEngagements } from '../../lib/services/reading/emails.ts';
import { listEmailEngagementsOperation } from './list-engagements.contract.ts';

export const handler = serve(listEmailEngagementsOperation, async ({ caller, params, page, nextCursor }) => {
  const { items, next } = await listEmailEngagements(caller.workspaceId, params.email_id, page());
  return { status: 200, body: { data: items.map(presentEngagement), next_cursor: await nextCursor(next) } };
});
