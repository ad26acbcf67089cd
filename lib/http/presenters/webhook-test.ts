/** Test events: their bodies, and the result of a test (docs/concepts/webhooks.md#test-events). */
import * as z from 'zod';
import { limits } from '../../core/limits.ts';
import { type Delivery, deliveryStates } from '../../core/webhooks/delivery.ts';
import { eventTypes } from '../../core/webhooks/event-types.ts';
import { isV1EventType, v1EventNameAt } from '../../core/webhooks/v1-format.ts';
import type { TestEvent } from '../../services/webhooks/test-endpoint.ts';
import { count, createdAt, idSchema, nullableText, timestampOf } from '../schemas.ts';

export const deliveryStateSchema = z
  .enum(deliveryStates)
  .describe(
    '`pending`: an attempt is due or running; `delivered`: the endpoint answered 2xx; `failed`: no attempt is left.',
  );

export const durationText = 'Milliseconds from the start of the request to its end, redirects included.';

/** The answer of an endpoint to a request. */
export const answerFields = {
  status_code: z
    .int()
    .min(100)
    .max(999)
    .nullable()
    .meta({ examples: [200], description: 'HTTP status; null when no response was received.' }),
  error: nullableText(
    null,
    'Why no valid response was received, for people; null when the endpoint answered in time.',
  ),
  response: nullableText('ok', 'The first 2 KB of the response body; null when no response was received.'),
};

/** The `data` of a test event. */
export const testPayload = z
  .record(z.string().meta({ maxLength: limits.testPayloadBytes }), z.unknown())
  .refine(
    (payload) => Buffer.byteLength(JSON.stringify(payload)) <= limits.testPayloadBytes,
    `must have at most ${limits.testPayloadBytes} bytes as JSON`,
  )
  .default({ test: true })
  .meta({ description: 'Sent unchanged as `data`; at most 64 KB as JSON.', examples: [{ test: true }] });

/** The body of a test event in a delivery. */
export const testEventSchema = z
  .strictObject({
    id: idSchema('evt'),
    type: z
      .enum(eventTypes)
      .meta({ examples: ['email.received'], description: 'The `event_type` of the test.' }),
    created_at: createdAt,
    space_id: z.null().describe('Always null: a test belongs to no Space.'),
    data: z
      .record(z.string(), z.unknown())
      .meta({ examples: [{ test: true }], description: 'The `payload` of the test, unchanged.' }),
  })
  .meta({ id: 'TestEvent', description: 'The body of a test event.' });

export const testResultSchema = z
  .strictObject({
    delivery_id: idSchema('dlv'),
    state: deliveryStateSchema.meta({ examples: ['delivered'] }),
    ...answerFields,
    duration_ms: count(84, `${durationText.slice(0, -1)}; null where none was sent.`).nullable(),
  })
  .meta({ id: 'WebhookTestResult', description: 'What the endpoint answered to a test event.' });

/** Builds the body of a test event in the endpoint's format. */
export function presentTestEvent(event: TestEvent): object {
  const { id, type, at, payload, format, attempt } = event;
  if (format === 'v1' && isV1EventType(type)) {
    const timestamp = Math.floor(at / 1000);
    return { event: v1EventNameAt(type, event), data: payload, attempt, timestamp };
  }
  return { id, type, created_at: timestampOf(at), space_id: null, data: payload };
}

export function presentTestResult({ id, state, attempts }: Delivery): z.input<typeof testResultSchema> {
  const attempt = attempts.at(-1);
  return {
    delivery_id: id,
    state,
    status_code: attempt?.statusCode ?? null,
    duration_ms: attempt?.durationMs ?? null,
    error: attempt?.error ?? null,
    response: attempt?.response ?? null,
  };
}
