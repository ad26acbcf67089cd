/** Retrieves the JSON Schema of the webhook bodies, in version 1. */
import { v1WebhookJsonSchema } from '../../../lib/http/presenters/v1/webhook.ts';
import { serve } from '../../../lib/http/serve.ts';
import { describeV1WebhooksOperation } from './webhooks.contract.ts';

export const handler = serve(describeV1WebhooksOperation, async () => ({
  status: 200,
  body: v1WebhookJsonSchema(),
}));
