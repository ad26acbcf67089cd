/** Contract of `POST /webhook-endpoints/{endpoint_id}/deliveries/retry`. */
import * as z from 'zod';
import { limits } from '../../lib/core/limits.ts';
import { operation } from '../../lib/http/contract.ts';
import { deliverySchema } from '../../lib/http/presenters/delivery.ts';
import { exampleId, idSchema, idsInput } from '../../lib/http/schemas.ts';

export const retryWebhookDeliveriesOperation = operation({
  id: 'webhook-endpoints.retry-deliveries',
  method: 'POST',
  path: '/api/v2/webhook-endpoints/{endpoint_id}/deliveries/retry',
  summary: 'Retry deliveries of a webhook endpoint',
  description:
    'Sends deliveries again in the background. Each delivery goes back to `pending`, whatever its state is, and is ' +
    'due now, with all attempts and 24 hours. It keeps the `id` of its event and its earlier attempts, and is signed ' +
    'with the current secret. Deliveries that do not exist at this endpoint or have expired, and what is no delivery ' +
    "id, are left out of the response. Failures do not count for the endpoint's state.",
  scope: 'full',
  budget: 'query',
  access: ['table:put', 'table:update'],
  params: z.strictObject({ endpoint_id: idSchema('whk') }),
  query: z.strictObject({}),
  body: z
    .strictObject({
      delivery_ids: idsInput('dlv', limits.retriedDeliveries).describe(
        'Deliveries of this endpoint to send again; one that is named twice is retried once.',
      ),
    })
    .meta({
      description: 'Up to 100 deliveries to send again.',
      examples: [{ delivery_ids: [exampleId('dlv')] }],
    }),
  responses: {
    200: {
      description: 'The deliveries that are retried.',
      body: z
        .strictObject({
          data: z.array(deliverySchema).describe('The deliveries in their new state; others are left out.'),
        })
        .meta({ id: 'RetriedWebhookDeliveries', description: 'The deliveries that are retried.' }),
    },
  },
  problems: [],
});
