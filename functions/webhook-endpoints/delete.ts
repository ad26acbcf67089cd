/** Deletes a webhook endpoint. */
import { serve } from '../../lib/http/serve.ts';
import { deleteEndpoint } from '../../lib/services/webhooks/endpoints.ts';
import { deleteWebhookEndpointOperation } from './delete.contract.ts';

export const handler = serve(deleteWebhookEndpointOperation, async ({ caller, params }) => {
  await deleteEndpoint(caller.workspaceId, params.endpoint_id);
  return { status: 204, body: null };
});
