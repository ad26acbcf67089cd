/** Sends a test event to a webhook endpoint. */
import { presentTestEvent, presentTestResult } from '../../lib/http/presenters/webhook-test.ts';
import { serve } from '../../lib/http/serve.ts';
import { testEndpoint } from '../../lib/services/webhooks/test-endpoint.ts';
import { testWebhookEndpointOperation } from './test.contract.ts';

export const handler = serve(testWebhookEndpointOperation, async ({ caller, params, body }) => {
  const input = { type: body.event_type, payload: body.payload };
  const delivery = await testEndpoint(caller.workspaceId, params.endpoint_id, input, presentTestEvent);
  return { status: 200, body: presentTestResult(delivery) };
});
