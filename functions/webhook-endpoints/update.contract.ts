/** Contract of `PATCH /webhook-endpoints/{endpoint_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { endpointChangeFields, endpointSchema } from '../../lib/http/presenters/endpoint.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const updateWebhookEndpointOperation = operation({
  id: 'webhook-endpoints.update',
  method: 'PATCH',
  path: '/api/v2/webhook-endpoints/{endpoint_id}',
  summary: 'Update a webhook endpoint',
  description:
    'Changes the given fields; takes effect with the next attempt. Pending deliveries of a disabled endpoint are sent ' +
    'when it is enabled again before their deadline, and fail otherwise.',
  scope: 'full',
  budget: 'read',
  access: ['table:update'],
  params: z.strictObject({ endpoint_id: idSchema('whk') }),
  query: z.strictObject({}),
  body: z
    .strictObject(endpointChangeFields)
    .partial()
    .meta({
      description: 'The fields to change, at least one.',
      minProperties: 1,
      examples: [{ enabled: false }],
    }),
  responses: { 200: { description: 'The updated endpoint.', body: endpointSchema } },
  problems: [],
});
