/** Contract of `PATCH /webhook-endpoints/{endpoint_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { endpointFields, endpointSchema } from '../../lib/http/presenters/endpoint.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const updateWebhookEndpointOperation = operation({
  id: 'webhook-endpoints.update',
  method: 'PATCH',
  path: '/api/v2/webhook-endpoints/{endpoint_id}',
  summary: 'Update a webhook endpoint',
  description:
    'Changes the fields that are given, effective with the next attempt. What is under way to an endpoint when it is ' +
    'disabled is not posted; its schedule goes on, so that it is delivered when the endpoint is enabled again in time, ' +
    'and fails at its deadline otherwise.',
  scope: 'full',
  budget: 'read',
  access: ['table:update'],
  params: z.strictObject({ endpoint_id: idSchema('whk') }),
  query: z.strictObject({}),
  body: z.strictObject(endpointFields).partial(),
  answers: { 200: { description: 'The endpoint as it is now.', body: endpointSchema } },
  problems: [],
});
