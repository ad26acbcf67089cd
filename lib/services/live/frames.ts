/** Messages to clients of live connections (docs/concepts/live.md#messages). */
import type { EventId } from '../../core/ids.ts';
import { payloadBytesMax } from '../../core/live/connection.ts';
import type { StoredEvent } from '../../core/webhooks/event.ts';

/** An event in its envelope, or its id alone where API Gateway would not take the envelope. */
export function eventFrame({ id, body }: Pick<StoredEvent, 'id' | 'body'>): string {
  const text = `{"type":"event","event":${body}}`;
  return Buffer.byteLength(text) <= payloadBytesMax ? text : JSON.stringify({ type: 'omitted', id });
}

export const subscribedFrame = (after: EventId | null): string =>
  JSON.stringify({ type: 'subscribed', after });
export const pongFrame = JSON.stringify({ type: 'pong' });
export const closedFrame = JSON.stringify({ type: 'closed', code: 'unauthenticated' });
