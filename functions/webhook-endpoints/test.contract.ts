/** Contract of `POST /webhook-endpoints/{endpoint_id}/test`. */
import * as z from 'zod';
import { limits } from '../../lib/core/limits.ts';
import { eventTypes } from '../../lib/core/webhooks/event-types.ts';
import { operation } from '../../lib/http/contract.ts';
import { testPayload, testResultSchema } from '../../lib/http/presenters/webhook-test.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const testWebhookEndpointOperation = operation({
  id: 'webhook-endpoints.test',
  method: 'POST',
  path: '/api/v2/webhook-endpoints/{endpoint_id}/test',
  summary: 'Send a test event to a webhook endpoint',
  description:
    'Posts one event at once, signed like every other, and answers what the endpoint answered within 10 seconds. Subscriptions ' +
    'and routing do not apply, and a disabled endpoint is tested, too. The event is recorded as a delivery, which is never ' +
    "retried; it is not in the event log and does not change the endpoint's state. An endpoint of format `v1` gets the " +
    'payload as `data` of the event of version 1; types that the format does not have are refused.',
  scope: 'full',
  budget: 'provision',
  access: ['table:put', 'secrets:decrypt:webhook-secret'],
  params: z.strictObject({ endpoint_id: idSchema('whk') }),
  query: z.strictObject({}),
  body: z
    .strictObject({
      event_type: z
        .enum(eventTypes)
        .describe('The event type that is sent, whether or not the endpoint subscribes to it.'),
      resource_id: z
        .string()
        .min(1)
        .max(limits.testResourceIdCharacters)
        .default('test')
        .describe('Names the resource that the test is about, for your own records; it is not sent.'),
      payload: testPayload,
    })
    .meta({
      description: 'The test event to send.',
      examples: [{ event_type: 'email.received' }],
    }),
  responses: { 200: { description: 'The answer of the endpoint.', body: testResultSchema } },
  problems: [],
  // 10 s for the endpoint, the rest for look-ups of the table and KMS.
  timeoutSeconds: 20,
});
