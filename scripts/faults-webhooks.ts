/** Webhook deliveries in the fault runs: a new endpoint for each group of runs, repeated messages, and what became of each event. */
import { now } from '../lib/adapters/clock.ts';
import { sendToQueue } from '../lib/adapters/queues.ts';
import { parseId, type WorkspaceId } from '../lib/core/ids.ts';
import { newDelivery } from '../lib/core/webhooks/delivery.ts';
import { attemptMessage, deliverMessage, resumeMessage } from '../lib/services/webhooks/deliver-message.ts';
import { findEvent } from '../lib/storage/webhooks/events.ts';
import type { EventReceiver } from './event-receiver.ts';

/** Each email has one of both. */
export const subscriptions = ['email.sent', 'thread.created'] as const;

export interface Delivery {
  readonly id: string;
  readonly event_id: string;
  readonly state: string;
  readonly attempts: readonly { readonly id: string; readonly status_code: number | null }[];
}

export interface DeliveryTally {
  deliveries: number;
  attempts: number;
  requests: number;
  /** Messages that were sent once more. */
  repeated: number;
  /** Events without a delivery, and deliveries that are not `delivered`. */
  lost: number;
  /** Attempts that are recorded more than once, or were never made. */
  recordedTwice: number;
}

export const newDeliveryTally = (): DeliveryTally => ({
  deliveries: 0,
  attempts: 0,
  requests: 0,
  repeated: 0,
  lost: 0,
  recordedTwice: 0,
});

/** Counts the deliveries of one endpoint to `receiver`; false where an event is lost or an attempt recorded twice. */
export function judgeDeliveries(
  deliveries: readonly Delivery[],
  expected: number,
  receiver: Pick<EventReceiver, 'requests'>,
  tally: DeliveryTally,
): boolean {
  const before = { ...tally };
  const isDone = ({ state, attempts }: Delivery) =>
    state === 'delivered' && attempts.filter(({ status_code: status }) => status === 200).length === 1;
  tally.deliveries += deliveries.length;
  tally.lost += Math.abs(expected - new Set(deliveries.map((one) => one.event_id)).size);
  tally.lost += deliveries.filter((one) => !isDone(one)).length;
  for (const { event_id: event, attempts } of deliveries) {
    const requests = receiver.requests.get(event) ?? 0;
    const distinct = new Set(attempts.map(({ id }) => id)).size;
    tally.attempts += attempts.length;
    tally.requests += requests;
    // A worker that is killed before the record of its attempt makes another one: requests may be more.
    tally.recordedTwice += Math.max(0, attempts.length - Math.min(distinct, requests));
  }
  return tally.lost === before.lost && tally.recordedTwice === before.recordedTwice;
}

/**
 * Sends the messages of deliveries once more, in random order: `publish-event` of their events, `deliver-webhook` of the first two
 * attempts, and `resume-endpoint`. Returns their number.
 */
export async function repeatMessages(
  workspaceId: WorkspaceId,
  endpoint: string,
  deliveries: readonly Delivery[],
  random: () => number,
): Promise<number> {
  const endpointId = parseId('whk', endpoint);
  if (!endpointId) throw new Error(`no endpoint id: ${endpoint}`);
  const events = await Promise.all(
    deliveries.map(async ({ event_id: id }) => {
      const eventId = parseId('evt', id);
      return eventId && (await findEvent(workspaceId, eventId));
    }),
  );
  const published = events.flatMap((event) =>
    event?.subject
      ? {
          kind: 'publish-event' as const,
          v: 1 as const,
          workspaceId,
          eventId: event.id,
          type: event.type,
          at: event.createdAt,
          subject: event.subject,
        }
      : [],
  );
  const drafts = events.flatMap((event) => (event ? [newDelivery(event, endpointId, now())] : []));
  const of = { workspaceId, endpointId };
  const delivered = [
    resumeMessage(of),
    ...drafts.map((draft) => deliverMessage(of, draft)),
    ...drafts.map(({ id: deliveryId, eventId, createdAt }) =>
      attemptMessage(of, { deliveryId, eventId, createdAt, replay: 0, attempt: 2 }),
    ),
  ];
  const messages = [...published, ...delivered]
    .filter(() => random() < 0.5)
    .map((message) => ({ message, order: random() }))
    .sort((one, other) => one.order - other.order);
  await Promise.all(messages.map(({ message }) => sendToQueue(message, '')));
  return messages.length;
}
