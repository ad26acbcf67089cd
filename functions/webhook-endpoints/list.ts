/** Lists webhook endpoints. */
import { presentEndpoint } from '../../lib/http/presenters/endpoint.ts';
import { serve } from '../../lib/http/serve.ts';
import { listEndpoints } from '../../lib/services/webhooks/endpoints.ts';
import { listWebhookEndpointsOperation } from './list.contract.ts';

export const handler = serve(listWebhookEndpointsOperation, async ({ caller, page, nextCursor }) => {
  const { items, next } = await listEndpoints(caller.workspaceId, page());
  return { status: 200, body: { data: items.map(presentEndpoint), next_cursor: await nextCursor(next) } };
});
