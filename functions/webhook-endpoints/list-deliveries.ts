/** Lists the deliveries of a webhook endpoint. */
import { presentDelivery } from '../../lib/http/presenters/delivery.ts';
import { serve } from '../../lib/http/serve.ts';
import { listDeliveries } from '../../lib/storage/deliveries.ts';
import { getEndpoint } from '../../lib/storage/endpoints.ts';
import { listWebhookDeliveriesOperation } from './list-deliveries.contract.ts';

export const handler = serve(
  listWebhookDeliveriesOperation,
  async ({ caller: { workspaceId }, params: { endpoint_id: endpointId }, query, page, nextCursor }) => {
    const [{ items, next }] = await Promise.all([
      listDeliveries(workspaceId, endpointId, query.state, page()),
      getEndpoint(workspaceId, endpointId),
    ]);
    return { status: 200, body: { data: items.map(presentDelivery), next_cursor: nextCursor(next) } };
  },
);
