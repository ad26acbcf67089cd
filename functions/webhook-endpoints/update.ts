/** Updates a webhook endpoint. */
import { presentEndpoint } from '../../lib/http/presenters/endpoint.ts';
import { serve } from '../../lib/http/serve.ts';
import { updateEndpoint } from '../../lib/services/webhooks/endpoints.ts';
import { updateWebhookEndpointOperation } from './update.contract.ts';

export const handler = serve(updateWebhookEndpointOperation, async ({ caller, params, body }) => {
  const { max_concurrency: maxConcurrency, click_event: clickEvent, ...change } = body;
  const endpoint = await updateEndpoint(caller.workspaceId, params.endpoint_id, {
    ...change,
    maxConcurrency,
    clickEvent,
  });
  return { status: 200, body: presentEndpoint(endpoint) };
});
