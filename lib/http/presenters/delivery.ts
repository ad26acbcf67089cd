/** The API record of a webhook delivery with its attempts (docs/concepts/webhooks.md). */
import * as z from 'zod';
import type { Attempt, Delivery } from '../../core/webhooks/delivery.ts';
import { eventTypes } from '../../core/webhooks/event-types.ts';
import { count, createdAt, idSchema, timestampOf, timestampSchema } from '../schemas.ts';
import { eventSchema } from './events.ts';
import { answerFields, deliveryStateSchema, durationText, testEventSchema } from './webhook-test.ts';

const attemptSchema = z
  .strictObject({
    id: idSchema('atp'),
    attempted_at: timestampSchema.describe('When the request began.'),
    ...answerFields,
    duration_ms: count(84, durationText),
  })
  .meta({ id: 'WebhookAttempt', description: 'One request to the endpoint, with its answer.' });

export const deliverySchema = z
  .strictObject({
    id: idSchema('dlv'),
    endpoint_id: idSchema('whk'),
    event_id: idSchema('evt'),
    event_type: z
      .enum(eventTypes)
      .meta({ examples: ['email.received'], description: 'The `type` of the event that is delivered.' }),
    state: deliveryStateSchema.meta({ examples: ['delivered'] }),
    next_attempt_at: timestampSchema.nullable().meta({
      examples: [null],
      description: 'Earliest time of the next attempt; null once the delivery is `delivered` or `failed`.',
    }),
    created_at: createdAt,
    body: z
      .union([eventSchema, testEventSchema])
      .nullable()
      .describe('The request body; null before the first attempt, and for endpoints of format `v1`.'),
    attempts: z.array(attemptSchema).describe('Oldest first, those before a retry on request included.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'The delivery of one event to one endpoint.' });

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
