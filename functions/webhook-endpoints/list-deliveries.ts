/** Lists the deliveries of a webhook endpoint. */
import { presentDelivery } from '../../lib/http/presenters/delivery.ts';
import { serve } from '../../lib/http/serve.ts';
import { listDeliveries } from '../../lib/services/webhooks/list-deliveries.ts';
import { listWebhookDeliveriesOperation } from './list-deliveries.contract.ts';

export const handler = serve(
  listWebhookDeliveriesOperation,
  async ({ caller, params, query, page, nextCursor }) => {
    const { items, next } = await listDeliveries(caller.workspaceId, params.endpoint_id, query.state, page());
    const data = items.map(({ delivery, body }) => presentDelivery(delivery, body));
    return { status: 200, body: { data, next_cursor: await nextCursor(next) } };
  },
);
