/** Contract of `GET /webhook-endpoints`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { endpointSchema } from '../../lib/http/presenters/endpoint.ts';
import { pageOf, pageQuery } from '../../lib/http/schemas.ts';

export const listWebhookEndpointsOperation = operation({
  id: 'webhook-endpoints.list',
  method: 'GET',
  path: '/api/v2/webhook-endpoints',
  summary: 'List webhook endpoints',
  description: 'Lists the webhook endpoints, oldest first, without their secrets.',
  scope: 'read',
  budget: 'read',
  access: ['table:query'],
  params: z.strictObject({}),
  query: z.strictObject(pageQuery),
  body: null,
  responses: { 200: { description: 'A page of endpoints.', body: pageOf(endpointSchema) } },
  problems: [],
});
