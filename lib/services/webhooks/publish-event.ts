/** Fan-out of an event: one delivery for every endpoint that subscribes to it (docs/concepts/webhooks.md#routing). */
import { now } from '../../adapters/clock.ts';
import type { SendingDomain } from '../../core/domains/sending-domain.ts';
import type { FullEmail, HistoryEntry } from '../../core/email.ts';
import type { Engagement } from '../../core/engagement.ts';
import type { EventId, WorkspaceId } from '../../core/ids.ts';
import type { PublishEvent } from '../../core/queue-messages.ts';
import type { Thread } from '../../core/thread.ts';
import { deliverWebhookMessage, newDelivery } from '../../core/webhooks/delivery.ts';
import type { Endpoint } from '../../core/webhooks/endpoint.ts';
import type { EventType } from '../../core/webhooks/event-types.ts';
import { passesRouting, type RoutedAddresses } from '../../core/webhooks/routing.ts';
import { createDelivery } from '../../storage/deliveries.ts';
import { findDomain } from '../../storage/domains.ts';
import { findFullEmail } from '../../storage/emails.ts';
import { listAllEndpoints } from '../../storage/endpoints.ts';
import { findEngagement } from '../../storage/engagements.ts';
import { findHistoryEntry } from '../../storage/history.ts';
import { findThread } from '../../storage/threads.ts';

/** The record that an event is about. */
export type EventSubject =
  | {
      readonly kind: 'email';
      readonly email: FullEmail;
      /** The history entry of the event. */
      readonly entry: HistoryEntry | null;
      /** The open or click of the event. */
      readonly engagement: Engagement | null;
    }
  | { readonly kind: 'thread'; readonly thread: Thread; readonly newest: FullEmail }
  | { readonly kind: 'domain'; readonly domain: SendingDomain };

/** An event with its subject. */
export interface WebhookEvent {
  readonly id: EventId;
  readonly type: EventType;
  /** Unix milliseconds. */
  readonly at: number;
  readonly subject: EventSubject;
}

/**
 * Processes a `publish-event` message. Idempotent: a delivery that exists stays as it is, and its message was committed
 * with it.
 *
 * @param present presents the event as the JSON that is posted
 */
export async function publishEvent(
  message: PublishEvent,
  present: (event: WebhookEvent) => object,
): Promise<void> {
  const { workspaceId, eventId: id, type, at } = message;
  const endpoints = await listAllEndpoints(workspaceId);
  const subscribed = endpoints.filter(
    ({ enabled, subscriptions }) => enabled && subscriptions.includes(type),
  );
  if (subscribed.length === 0) return;
  const subject = await load(message);
  // The subject was deleted meanwhile.
  if (!subject) return;
  const addresses = addressesOf(subject);
  const event = { id, type, body: JSON.stringify(present({ id, type, at, subject })) };
  // One transaction each: when the message is repeated, some deliveries exist and others do not.
  await Promise.all(
    subscribed
      .filter(({ routing }) => passesRouting(routing, addresses))
      .map((endpoint) => deliverTo(workspaceId, endpoint, event)),
  );
}

async function deliverTo(
  workspaceId: WorkspaceId,
  endpoint: Endpoint,
  event: { id: EventId; type: EventType; body: string },
): Promise<void> {
  const delivery = newDelivery(event, endpoint.id, now());
  const message = deliverWebhookMessage(workspaceId, delivery, endpoint.maxConcurrency, delivery.attemptDue);
  await createDelivery(workspaceId, delivery, [{ message }]);
}

async function load({ workspaceId, subject }: PublishEvent): Promise<EventSubject | null> {
  if ('emailId' in subject) {
    const { emailId } = subject;
    const [email, entry, engagement] = await Promise.all([
      findFullEmail(workspaceId, emailId),
      'entryId' in subject && subject.entryId
        ? findHistoryEntry(workspaceId, emailId, subject.entryId)
        : null,
      'engagement' in subject ? findEngagement(workspaceId, emailId, subject.engagement) : null,
    ]);
    return email && { kind: 'email', email, entry, engagement };
  }
  if ('threadId' in subject) {
    const thread = await findThread(workspaceId, subject.threadId);
    const newest = thread && (await findFullEmail(workspaceId, thread.newestEmailId));
    return newest && { kind: 'thread', thread, newest };
  }
  const domain = await findDomain(workspaceId, subject.domainId);
  return domain && { kind: 'domain', domain };
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
