/** Test events: their bodies, and the result of a test (docs/concepts/webhooks.md#test-events). */
import * as z from 'zod';
import { limits } from '../../core/limits.ts';
import { type Delivery, deliveryStates } from '../../core/webhooks/delivery.ts';
import { eventTypes } from '../../core/webhooks/event-types.ts';
import { isV1EventType, v1EventNameAt } from '../../core/webhooks/v1-format.ts';
import type { TestEvent } from '../../services/webhooks/test-endpoint.ts';
import { idSchema, nullableText, timestampOf, timestampSchema } from '../schemas.ts';

export const deliveryStateSchema = z.enum(deliveryStates);

/** The `data` of a test event. */
export const testPayload = z
  .record(z.string(), z.unknown())
  .refine(
    (payload) => Buffer.byteLength(JSON.stringify(payload)) <= limits.testPayloadBytes,
    `must have at most ${limits.testPayloadBytes} bytes as JSON`,
  )
  .default({ test: true })
  .meta({ description: 'Sent verbatim as `data`.', examples: [{ test: true }] });

/** The body of a test event in a delivery. */
export const testEventSchema = z
  .strictObject({
    id: idSchema('evt'),
    type: z.enum(eventTypes).meta({ examples: ['email.received'] }),
    created_at: timestampSchema,
    space_id: z.null(),
    data: z.record(z.string(), z.unknown()).meta({ examples: [{ test: true }] }),
  })
  .meta({ id: 'TestEvent' });

export const testResultSchema = z
  .strictObject({
    delivery_id: idSchema('dlv'),
    state: deliveryStateSchema.meta({ examples: ['delivered'] }),
    status_code: z
      .int()
      .nullable()
      .meta({ examples: [200], description: 'null when no response was received.' }),
    duration_ms: z
      .int()
      .nullable()
      .meta({ examples: [84] }),
    error: nullableText(null, 'Why no valid response was received.'),
    response: nullableText('ok', 'The first 2 KB of the response body.'),
  })
  .meta({ id: 'WebhookTestResult' });

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
