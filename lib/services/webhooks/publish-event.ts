/** Fan-out of an event: one delivery for every endpoint that subscribes to it (docs/concepts/webhooks.md#routing). */

import { now } from '../../adapters/clock.ts';
import type { FullEmail } from '../../core/email.ts';
import type { PublishEvent } from '../../core/queue-messages.ts';
import { newDelivery } from '../../core/webhooks/delivery.ts';
import {
  type EventSubject,
  eventExpiry,
  type StoredEvent,
  spaceOf,
  type WebhookEvent,
} from '../../core/webhooks/event.ts';
import { passesRouting, type RoutedAddresses } from '../../core/webhooks/routing.ts';
import { env } from '../../env.ts';
import { findEndpointStates } from '../../storage/endpoint-states.ts';
import { storeEvent } from '../../storage/events.ts';
import { type Announcement, announceDeliveries } from './announce-delivery.ts';
import { announcePorts } from './announce-ports.ts';
import { type EventTakers, ifTaken, takersOf } from './event-takers.ts';
import { loadSubject } from './load-subject.ts';

/**
 * Processes a `publish-event` message: stores the event if an endpoint takes it or the workspace's event log is on, and
 * announces its deliveries. Idempotent: what exists stays as it is.
 *
 * @param takersOfBatch of the batch of the message
 * @param present presents the event as the JSON that is posted
 */
export async function publishEvent(
  message: PublishEvent,
  takersOfBatch: EventTakers,
  present: Presenter,
): Promise<void> {
  const { workspaceId, type } = message;
  const takers = takersOf(message, takersOfBatch);
  if (!(await ifTaken(message, takers))) return;
  const subject = await loadSubject(workspaceId, message.subject);
  // The subject was deleted meanwhile.
  if (!subject) return;
  const addresses = addressesOf(subject);
  const subscribed = await takers.subscribed(workspaceId, type);
  const taking = subscribed.filter(({ routing }) => passesRouting(routing, addresses));
  if (taking.length === 0 && !(await takers.hasEventLog(workspaceId))) return;
  const event = await storeEvent(workspaceId, eventOf(message, subject, present));
  if (taking.length === 0) return;
  const states = await findEndpointStates(
    workspaceId,
    taking.map((endpoint) => endpoint.id),
  );
  const announcements = taking.flatMap((endpoint, at): Announcement[] => {
    const state = states[at];
    const of = { workspaceId, endpointId: endpoint.id };
    return state ? [{ of, draft: newDelivery(event, endpoint.id, now()), state }] : [];
  });
  await announceDeliveries(announcePorts, announcements);
}

type Presenter = (event: WebhookEvent) => object;

function eventOf(
  { eventId: id, type, at, subject: ref }: PublishEvent,
  subject: EventSubject,
  present: Presenter,
): StoredEvent {
  return {
    id,
    type,
    createdAt: at,
    spaceId: spaceOf(subject),
    subject: ref,
    body: JSON.stringify(present({ id, type, at, subject })),
    expiresAt: eventExpiry(id, env().EVENT_RETENTION_DAYS),
  };
}

/** The addresses of an event for routing; null where it has none and passes every rule. */
function addressesOf(subject: EventSubject): RoutedAddresses | null {
  switch (subject.kind) {
    case 'email':
      return addressesOfEmail(subject.email);
    case 'thread':
      // A new thread has one message: an endpoint gets the events of both or of neither.
      return addressesOfEmail(subject.newest);
    case 'domain':
      return null;
    case 'mailbox':
      return { from: [subject.mailbox.address], to: [subject.mailbox.address] };
  }
}

function addressesOfEmail({ head, content }: FullEmail): RoutedAddresses {
  const to = [...(content.to ?? head.to), ...content.cc, ...content.bcc].map(({ address }) => address);
  return {
    from: [head.from, ...content.replyTo].map(({ address }) => address),
    // A blind copy, or mail through a list, names us only in the envelope.
    to: [...to, ...(content.envelope ?? [])],
  };
}
