/** Contract of `DELETE /webhook-endpoints/{endpoint_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const deleteWebhookEndpointOperation = operation({
  id: 'webhook-endpoints.delete',
  method: 'DELETE',
  path: '/api/v2/webhook-endpoints/{endpoint_id}',
  summary: 'Delete a webhook endpoint',
  description:
    'Deletes an endpoint with its deliveries. Takes effect with the next attempt: pending deliveries are not sent.',
  scope: 'full',
  budget: 'read',
  access: ['table:query', 'table:update', 'table:delete'],
  params: z.strictObject({ endpoint_id: idSchema('whk') }),
  query: z.strictObject({}),
  body: null,
  responses: { 204: { description: 'The endpoint is deleted.', body: null } },
  problems: [],
});
