/** Contract of `POST /webhook-endpoints`. */
import * as z from 'zod';
import { limits } from '../../lib/core/limits.ts';
import { operation } from '../../lib/http/contract.ts';
import { endpointFields, newEndpointSchema } from '../../lib/http/presenters/endpoint.ts';

export const createWebhookEndpointOperation = operation({
  id: 'webhook-endpoints.create',
  method: 'POST',
  path: '/api/v2/webhook-endpoints',
  summary: 'Create a webhook endpoint',
  description:
    'Registers a URL that receives events of every Space. A workspace can have 50 endpoints. `thread.created` is routed ' +
    'by the addresses of the first message of the thread.',
  scope: 'full',
  budget: 'read',
  access: ['table:query', 'table:put', 'table:update', 'secrets:encrypt:webhook-secret'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z
    .strictObject({
      url: endpointFields.url,
      subscriptions: endpointFields.subscriptions,
      routing: endpointFields.routing.default([]),
      max_concurrency: endpointFields.max_concurrency.default(limits.endpointConcurrencyDefault),
      include: endpointFields.include.default([]),
      enabled: endpointFields.enabled.default(true),
    })
    .meta({
      description: 'The URL, and which events it receives.',
      examples: [{ url: 'https://acme.dev/hooks', subscriptions: ['email.received', 'email.bounced'] }],
    }),
  responses: { 201: { description: 'The endpoint with its signing secret.', body: newEndpointSchema } },
  problems: ['limit_reached'],
});
