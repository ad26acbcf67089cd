/** Contract of `GET /_meta/webhooks` of version 1. */
import * as z from 'zod';
import { operation } from '../../../lib/http/contract.ts';
import { text } from '../../../lib/http/schemas.ts';

export const describeV1WebhooksOperation = operation({
  id: 'v1._meta.webhooks',
  operationId: 'retrieveWebhookSchema',
  method: 'GET',
  path: '/api/v1/_meta/webhooks',
  summary: 'Retrieve the JSON Schema of the webhook bodies',
  description:
    'Returns a JSON Schema (2020-12), which the body of every webhook passes: a body is one of the seven events.',
  scope: 'read',
  budget: 'read',
  access: [],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: null,
  responses: {
    200: {
      description: 'The schema.',
      body: z
        // A literal, as the only property, makes orval write a constant that does not compile.
        .looseObject({
          $schema: text('https://json-schema.org/draft/2020-12/schema', 'The dialect of JSON Schema.'),
        })
        .meta({ id: 'V1WebhookSchema', description: 'A JSON Schema that every webhook body passes.' }),
    },
  },
  problems: [],
});
