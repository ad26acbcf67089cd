/** Fan-out of an event: one delivery for every endpoint that subscribes to it (docs/concepts/webhooks.md#routing). */
import { now } from '../../adapters/clock.ts';
import type { FullEmail } from '../../core/email.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { PublishEvent } from '../../core/queue-messages.ts';
import { deliverWebhookMessage, newDelivery } from '../../core/webhooks/delivery.ts';
import type { Endpoint } from '../../core/webhooks/endpoint.ts';
import {
  type EventSubject,
  eventExpiry,
  type StoredEvent,
  spaceOf,
  type WebhookEvent,
} from '../../core/webhooks/event.ts';
import { passesRouting, type RoutedAddresses } from '../../core/webhooks/routing.ts';
import { env } from '../../env.ts';
import { createDelivery } from '../../storage/deliveries.ts';
import { listAllEndpoints } from '../../storage/endpoints.ts';
import { storeEvent } from '../../storage/events.ts';
import { findWorkspaceSettings } from '../../storage/workspaces.ts';

import { loadSubject } from './load-subject.ts';

/**
 * Processes a `publish-event` message: stores the event if an endpoint takes it or the workspace's event log is on, and
 * creates its deliveries. Idempotent: what exists stays as it is.
 *
 * @param present presents the event as the JSON that is posted
 */
export async function publishEvent(message: PublishEvent, present: Presenter): Promise<void> {
  const { workspaceId, type } = message;
  const [endpoints, { eventLog }] = await Promise.all([
    listAllEndpoints(workspaceId),
    findWorkspaceSettings(workspaceId),
  ]);
  const subscribed = endpoints.filter(
    ({ enabled, subscriptions }) => enabled && subscriptions.includes(type),
  );
  if (subscribed.length === 0 && !eventLog) return;
  const subject = await loadSubject(workspaceId, message.subject);
  // The subject was deleted meanwhile.
  if (!subject) return;
  const addresses = addressesOf(subject);
  const taking = subscribed.filter(({ routing }) => passesRouting(routing, addresses));
  if (taking.length === 0 && !eventLog) return;
  const event = await storeEvent(workspaceId, eventOf(message, subject, present));
  if (taking.length === 0) return;
  // One transaction each: when the message is repeated, some deliveries exist and others do not.
  await Promise.all(taking.map((endpoint) => deliverTo(workspaceId, endpoint, event)));
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

async function deliverTo(workspaceId: WorkspaceId, endpoint: Endpoint, event: StoredEvent): Promise<void> {
  const delivery = newDelivery(event, endpoint.id, now());
  const message = deliverWebhookMessage(workspaceId, delivery, endpoint.maxConcurrency, delivery.attemptDue);
  await createDelivery(workspaceId, delivery, [{ message }]);
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
