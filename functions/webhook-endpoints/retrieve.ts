/** Retrieves a webhook endpoint. */
import { presentEndpoint } from '../../lib/http/presenters/endpoint.ts';
import { serve } from '../../lib/http/serve.ts';
import { getEndpoint } from '../../lib/services/webhooks/endpoints.ts';
import { retrieveWebhookEndpointOperation } from './retrieve.contract.ts';

export const handler = serve(retrieveWebhookEndpointOperation, async ({ caller, params }) => {
  const endpoint = await getEndpoint(caller.workspaceId, params.endpoint_id);
  return { status: 200, body: presentEndpoint(endpoint) };
});
