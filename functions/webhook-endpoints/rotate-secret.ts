/** Rotates the signing secret of a webhook endpoint. */
import { presentEndpoint } from '../../lib/http/presenters/endpoint.ts';
import { serve } from '../../lib/http/serve.ts';
import { rotateSecret } from '../../lib/services/webhooks/endpoints.ts';
import { rotateWebhookSecretOperation } from './rotate-secret.contract.ts';

export const handler = serve(rotateWebhookSecretOperation, async ({ caller, params, body }) => {
  const { endpoint, secret } = await rotateSecret(caller.workspaceId, params.endpoint_id, body.grace_seconds);
  return { status: 200, body: { ...presentEndpoint(endpoint), secret } };
});
