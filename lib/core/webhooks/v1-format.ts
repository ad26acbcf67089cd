/** Webhooks of format `v1`: event names, signature, and the pause after failures (docs/concepts/webhooks.md#format-v1). */
import { createHmac } from 'node:crypto';
import { limits } from '../limits.ts';
import type { AttemptOutcome, Delivery } from './delivery.ts';
import type { ClickEvent, Endpoint } from './endpoint.ts';
import type { EventType } from './event-types.ts';
import { userAgentOf } from './signature.ts';

/** The events of format `v1`, by event type, as they are called by default. Other types are not sent. */
export const v1EventNames = {
  'email.received': 'inbound.email.received',
  'email.delivered': 'outbound.email.delivered',
  'email.bounced': 'outbound.email.bounced',
  'email.complained': 'outbound.email.complained',
  'email.failed': 'outbound.email.rejected',
  'email.opened': 'outbound.email.opened',
  'email.clicked': 'outbound.email.link_clicked',
} as const satisfies Partial<Record<EventType, string>>;

export type V1EventType = keyof typeof v1EventNames;
export const v1EventTypes = Object.keys(v1EventNames) as V1EventType[];

export function isV1EventType(type: EventType): type is V1EventType {
  return Object.hasOwn(v1EventNames, type);
}

/** The name that an endpoint has for an event. */
export function v1EventNameAt<Type extends V1EventType>(
  type: Type,
  { clickEvent }: Pick<Endpoint, 'clickEvent'>,
): V1EventName<Type> {
  const names: { readonly [Each in V1EventType]: V1EventName<Each> } = {
    ...v1EventNames,
    'email.clicked': `outbound.email.${clickEvent}`,
  };
  return names[type];
}

/** The names that endpoints have for an event. */
export type V1EventName<Type extends V1EventType> = Type extends 'email.clicked'
  ? `outbound.email.${ClickEvent}`
  : (typeof v1EventNames)[Type];

/** Bytes of a body: those of the email record, and the recipients and diagnostics of the event. */
export const v1BodyBytesMax = limits.emailBytes + 1024 * 1024;

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
  { body, secret, atSeconds }: { body: string; secret: string | null; atSeconds: number },
): Record<string, string> {
  const headers = { 'Content-Type': 'application/json', 'User-Agent': userAgentOf(brand) };
  if (secret === null) return headers;
  const mac = createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex');
  return {
    ...headers,
    [`X-${brand}-Timestamp`]: String(atSeconds),
    [`X-${brand}-Signature`]: `sha256=${mac}`,
  };
}
