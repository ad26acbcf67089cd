/** Test events: posted at once, recorded as a delivery, never retried (docs/concepts/webhooks.md#test-events). */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import { type HttpExchange, postToReceiver } from '../../adapters/outbound-http.ts';
import type { EndpointId, EventId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { invalidField, Problem } from '../../core/problems.ts';
import { type Delivery, newDelivery } from '../../core/webhooks/delivery.ts';
import type { Endpoint } from '../../core/webhooks/endpoint.ts';
import { eventExpiry } from '../../core/webhooks/event.ts';
import type { EventType } from '../../core/webhooks/event-types.ts';
import { afterV1Attempt, isV1EventType } from '../../core/webhooks/v1-format.ts';
import { env } from '../../env.ts';
import { storeTestDelivery } from '../../storage/webhooks/deliveries.ts';
import { findEndpoint } from '../../storage/webhooks/endpoints.ts';
import { prepareAttempt } from './prepare-attempt.ts';

export interface TestEvent {
  readonly id: EventId;
  readonly type: EventType;
  /** Unix milliseconds. */
  readonly at: number;
  /** The `data` of the event. */
  readonly payload: object;
  readonly format: Endpoint['format'];
  readonly clickEvent: Endpoint['clickEvent'];
  /** Number of the attempt, in format `v1`. */
  readonly attempt: number;
}

/**
 * Posts a test event and returns its delivery, which is complete. Subscriptions, routing and `enabled` do not apply, and the
 * endpoint's failures are not counted.
 *
 * @param present presents the event as the JSON that is posted
 * @throws Problem not_found, and invalid_request for a type that the format of the endpoint does not have
 */
export async function testEndpoint(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  { type, payload }: { readonly type: EventType; readonly payload: object },
  present: (event: TestEvent) => object,
): Promise<Delivery> {
  const found = await findEndpoint(workspaceId, endpointId);
  if (!found) throw new Problem('not_found', 'There is no such webhook endpoint.');
  const { format, clickEvent, consecutiveFailures } = found.endpoint;
  if (format === 'v1' && !isV1EventType(type)) {
    throw invalidField('event_type', 'is a type that the format v1 does not have');
  }
  const id = newId('evt');
  const at = now();
  const event = { id, type, at, payload, format, clickEvent, attempt: consecutiveFailures + 1 };
  const body = JSON.stringify(present(event));
  const request = await prepareAttempt(workspaceId, found, { id, body }, at);
  // Also in format v1: the caller waits.
  const exchange = await postToReceiver({ ...request, timeoutMs: limits.webhookTimeoutSeconds * 1000 });
  const delivery = completed(event, endpointId, body, exchange);
  await storeTestDelivery(workspaceId, delivery);
  return delivery;
}

function completed(
  { id, type, at }: TestEvent,
  endpointId: EndpointId,
  body: string,
  exchange: HttpExchange,
): Delivery {
  const expiresAt = eventExpiry(id, env().EVENT_RETENTION_DAYS);
  return {
    ...newDelivery({ id, type, expiresAt }, endpointId, at),
    ...afterV1Attempt(exchange),
    body,
    attemptDue: 2,
    attempts: [{ id: newId('atp'), ...exchange }],
  };
}
