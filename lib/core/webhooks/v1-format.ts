/** Webhooks of format `v1`: event names, signature, and the pause after failures (docs/concepts/webhooks.md#format-v1). */
import type { AttemptOutcome, Delivery } from './delivery.ts';
import type { Endpoint } from './endpoint.ts';
import { type EventType, eventTypes, eventTypeTable } from './event-types.ts';
import { hmacOf, userAgentOf, type WebhookBody } from './signature.ts';

type Rows = typeof eventTypeTable;

/** The event types that format `v1` has. */
export type V1EventType = {
  [Type in EventType]: Rows[Type]['v1Name'] extends string ? Type : never;
}[EventType];

export function isV1EventType(type: EventType): type is V1EventType {
  return eventTypeTable[type].v1Name !== null;
}

export const v1EventTypes = eventTypes.filter(isV1EventType);

/** The name of an event at an endpoint. */
export function v1EventNameAt(type: V1EventType, { clickEvent }: Pick<Endpoint, 'clickEvent'>): string {
  return type === 'email.clicked' ? `outbound.email.${clickEvent}` : eventTypeTable[type].v1Name;
}

/** Whether the body of a delivery is built when it is sent; a test has its own. */
export function isBuiltAtSend(
  { format }: Pick<Endpoint, 'format'>,
  { body }: Pick<Delivery, 'body'>,
): boolean {
  return format === 'v1' && body === null;
}

/** Consecutive failures that pause an endpoint. */
export const v1FailuresMax = 3;

/** The outcome of the one attempt that a delivery has. @param answer null: no attempt was made */
export function afterV1Attempt(answer: { readonly statusCode: number | null } | null): AttemptOutcome {
  const status = answer?.statusCode ?? 0;
  const isSuccess = status >= 200 && status <= 299;
  return { state: isSuccess ? 'delivered' : 'failed', nextAttemptAt: null };
}

/**
 * The headers of an attempt.
 *
 * @param request.secret null: the request is not signed
 * @param request.atSeconds Unix seconds of the attempt, as in the body
 */
export function v1Headers(
  brand: string,
  { body, secret, atSeconds }: { body: WebhookBody; secret: string | null; atSeconds: number },
): Record<string, string> {
  const headers = { 'Content-Type': 'application/json', 'User-Agent': userAgentOf(brand) };
  if (secret === null) return headers;
  const mac = hmacOf(secret, `${atSeconds}.`, body).digest('hex');
  return {
    ...headers,
    [`X-${brand}-Timestamp`]: String(atSeconds),
    [`X-${brand}-Signature`]: `sha256=${mac}`,
  };
}
