/** Creates a webhook endpoint. */
import { presentEndpoint } from '../../lib/http/presenters/endpoint.ts';
import { serve } from '../../lib/http/serve.ts';
import { createEndpoint } from '../../lib/services/webhooks/endpoints.ts';
import { createWebhookEndpointOperation } from './create.contract.ts';

export const handler = serve(createWebhookEndpointOperation, async ({ caller, body }) => {
  const { max_concurrency: maxConcurrency, ...settings } = body;
  const { endpoint, secret } = await createEndpoint(caller.workspaceId, { ...settings, maxConcurrency });
  return { status: 201, body: { ...presentEndpoint(endpoint), secret } };
});
