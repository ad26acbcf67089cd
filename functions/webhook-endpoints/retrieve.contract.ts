/** Contract of `GET /webhook-endpoints/{endpoint_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { endpointSchema } from '../../lib/http/presenters/endpoint.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const retrieveWebhookEndpointOperation = operation({
  id: 'webhook-endpoints.retrieve',
  method: 'GET',
  path: '/api/v2/webhook-endpoints/{endpoint_id}',
  summary: 'Retrieve a webhook endpoint',
  scope: 'read',
  budget: 'read',
  access: [],
  params: z.strictObject({ endpoint_id: idSchema('whk') }),
  query: z.strictObject({}),
  body: null,
  responses: { 200: { description: 'The endpoint.', body: endpointSchema } },
  problems: [],
});
