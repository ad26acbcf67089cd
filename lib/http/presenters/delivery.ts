/** The API record of a webhook delivery with its attempts (docs/concepts/webhooks.md). */
import * as z from 'zod';
import type { Attempt, Delivery } from '../../core/webhooks/delivery.ts';
import { eventTypes } from '../../core/webhooks/event-types.ts';
import { idSchema, nullableText, timestampOf, timestampSchema } from '../schemas.ts';
import { eventSchema } from './events.ts';
import { deliveryStateSchema, testEventSchema } from './webhook-test.ts';

const attemptSchema = z
  .strictObject({
    id: idSchema('atp'),
    attempted_at: timestampSchema,
    status_code: z
      .int()
      .nullable()
      .meta({ examples: [200], description: 'null when no response was received.' }),
    error: nullableText(null, 'Why no valid response was received.'),
    duration_ms: z.int().meta({ examples: [84] }),
    response: nullableText('ok', 'The first 2 KB of the response body.'),
  })
  .meta({ id: 'WebhookAttempt' });

export const deliverySchema = z
  .strictObject({
    id: idSchema('dlv'),
    endpoint_id: idSchema('whk'),
    event_id: idSchema('evt'),
    event_type: z.enum(eventTypes).meta({ examples: ['email.received'] }),
    state: deliveryStateSchema.meta({ examples: ['delivered'] }),
    next_attempt_at: timestampSchema.nullable().meta({ examples: [null] }),
    created_at: timestampSchema,
    body: z
      .union([eventSchema, testEventSchema])
      .nullable()
      .describe('The request body; null before the first attempt, and for endpoints of format `v1`.'),
    attempts: z.array(attemptSchema).describe('Oldest first.'),
  })
  .meta({ id: 'WebhookDelivery' });

/** @param body the JSON that was posted; null before the first attempt */
export function presentDelivery(delivery: Delivery, body: string | null): z.input<typeof deliverySchema> {
  return {
    id: delivery.id,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    state: delivery.state,
    next_attempt_at: delivery.nextAttemptAt === null ? null : timestampOf(delivery.nextAttemptAt),
    created_at: timestampOf(delivery.createdAt),
    body: body === null ? null : JSON.parse(body),
    attempts: delivery.attempts.map(presentAttempt),
  };
}

function presentAttempt(attempt: Attempt): z.input<typeof attemptSchema> {
  return {
    id: attempt.id,
    attempted_at: timestampOf(attempt.attemptedAt),
    status_code: attempt.statusCode,
    error: attempt.error,
    duration_ms: attempt.durationMs,
    response: attempt.response,
  };
}
