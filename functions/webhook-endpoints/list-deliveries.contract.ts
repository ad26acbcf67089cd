/** Contract of `GET /webhook-endpoints/{endpoint_id}/deliveries`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { deliverySchema } from '../../lib/http/presenters/delivery.ts';
import { deliveryStateSchema } from '../../lib/http/presenters/webhook-test.ts';
import { idSchema, pageOf, pageQuery } from '../../lib/http/schemas.ts';

export const listWebhookDeliveriesOperation = operation({
  id: 'webhook-endpoints.list-deliveries',
  method: 'GET',
  path: '/api/v2/webhook-endpoints/{endpoint_id}/deliveries',
  summary: 'List deliveries of a webhook endpoint, newest first',
  description:
    'Lists deliveries with their attempts, newest first, for 30 days by default. Pages end at 4 MB, so ' +
    'they can have fewer deliveries than `limit`.',
  scope: 'read',
  budget: 'read',
  access: ['table:query'],
  params: z.strictObject({ endpoint_id: idSchema('whk') }),
  query: z.strictObject({
    ...pageQuery,
    state: deliveryStateSchema.optional().describe('Only deliveries that are in this state.'),
  }),
  body: null,
  responses: {
    200: { description: 'A page of deliveries with their attempts.', body: pageOf(deliverySchema) },
  },
  problems: [],
});
