/** Contract of `POST /webhook-endpoints/{endpoint_id}/rotate-secret`. */
import * as z from 'zod';
import { limits } from '../../lib/core/limits.ts';
import { operation } from '../../lib/http/contract.ts';
import { newEndpointSchema } from '../../lib/http/presenters/endpoint.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const rotateWebhookSecretOperation = operation({
  id: 'webhook-endpoints.rotate-secret',
  method: 'POST',
  path: '/api/v2/webhook-endpoints/{endpoint_id}/rotate-secret',
  summary: 'Rotate the signing secret of a webhook endpoint',
  description:
    'Creates a new signing secret and returns it once. The new secret signs from the next attempt on. The secret ' +
    'before it signs, too, until `previous_secret_expires_at`. Rotating again within that time ends the oldest secret at once. An endpoint of format `v1` has one signature: its ' +
    'previous secret ends at once.',
  scope: 'full',
  budget: 'read',
  access: ['table:update', 'secrets:encrypt:webhook-secret'],
  params: z.strictObject({ endpoint_id: idSchema('whk') }),
  query: z.strictObject({}),
  body: z
    .strictObject({
      grace_seconds: z
        .int()
        .min(0)
        .max(limits.secretGraceSeconds)
        .default(limits.secretGraceSecondsDefault)
        .describe('Seconds for which the previous secret also signs; 0: it ends at once.'),
    })
    .prefault({})
    .meta({
      description: 'How the previous secret ends.',
      examples: [{ grace_seconds: 3600 }],
    }),
  responses: { 200: { description: 'The endpoint with its new signing secret.', body: newEndpointSchema } },
  problems: [],
});
