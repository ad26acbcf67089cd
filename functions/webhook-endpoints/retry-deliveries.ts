/** Retries deliveries of a webhook endpoint. */
import { presentDelivery } from '../../lib/http/presenters/delivery.ts';
import { serve } from '../../lib/http/serve.ts';
import { retryDeliveries } from '../../lib/services/webhooks/retry-deliveries.ts';
import { retryWebhookDeliveriesOperation } from './retry-deliveries.contract.ts';

export const handler = serve(retryWebhookDeliveriesOperation, async ({ caller, params, body }) => {
  const retried = await retryDeliveries(caller.workspaceId, params.endpoint_id, body.delivery_ids);
  return {
    status: 200,
    body: { data: retried.map(({ delivery, body: posted }) => presentDelivery(delivery, posted)) },
  };
});
