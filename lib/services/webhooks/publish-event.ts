/** Turns something that happened into a delivery for every endpoint that wants to hear of it. */
import { now } from '../../adapters/clock.ts';
import type { SendingDomain } from '../../core/domains/sending-domain.ts';
import type { HistoryEntry } from '../../core/email.ts';
import type { Engagement } from '../../core/engagement.ts';
import type { EventId, WorkspaceId } from '../../core/ids.ts';
import type { PublishEvent } from '../../core/queue-messages.ts';
import type { Thread } from '../../core/thread.ts';
import { attemptMessage, newDelivery } from '../../core/webhooks/delivery.ts';
import type { Endpoint } from '../../core/webhooks/endpoint.ts';
import type { EventType } from '../../core/webhooks/event-types.ts';
import { passesRouting, type RoutedAddresses } from '../../core/webhooks/routing.ts';
import { createDelivery } from '../../storage/deliveries.ts';
import { findDomainWithKey } from '../../storage/domains.ts';
import { type FullEmail, findFullEmail } from '../../storage/emails.ts';
import { allEndpoints } from '../../storage/endpoints.ts';
import { findEngagement } from '../../storage/engagements.ts';
import { findHistoryEntry } from '../../storage/history.ts';
import { findThread } from '../../storage/threads.ts';

/** What an event is about, as it is stored. */
export type WebhookEventData =
  | {
      readonly kind: 'email';
      readonly email: FullEmail;
      /** The entry of the history that the event tells of, where it is about one. */
      readonly entry: HistoryEntry | null;
      /** The open or click that it tells of. */
      readonly hit: Engagement | null;
    }
  | { readonly kind: 'thread'; readonly thread: Thread; readonly newest: FullEmail }
  | { readonly kind: 'domain'; readonly domain: SendingDomain };

/** An event with what it is about. */
export interface WebhookEvent {
  readonly id: EventId;
  readonly type: EventType;
  /** Unix milliseconds. */
  readonly at: number;
  readonly subject: WebhookEventData;
}

/**
 * Does what a `publish-event` message asks for. Safe to repeat: a delivery that is there already stays as it is, and
 * what it owes was committed with it.
 *
 * @param present makes the JSON that is posted
 */
export async function publishEvent(
  message: PublishEvent,
  present: (event: WebhookEvent) => object,
): Promise<void> {
  const { workspaceId, eventId: id, type, at } = message;
  const endpoints = await allEndpoints(workspaceId);
  const subscribed = endpoints.filter(
    ({ enabled, subscriptions }) => enabled && subscriptions.includes(type),
  );
  if (subscribed.length === 0) return;
  const subject = await load(message);
  // Gone meanwhile: there is nothing to tell of it.
  if (!subject) return;
  const addresses = addressesOf(subject);
  const event = { id, type, body: JSON.stringify(present({ id, type, at, subject })) };
  // Each by itself: when the message is repeated, some deliveries may be there already and others not.
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
  const message = attemptMessage(workspaceId, delivery, endpoint.maxConcurrency, delivery.attemptDue);
  await createDelivery(workspaceId, delivery, [{ message }]);
}

async function load({ workspaceId, subject }: PublishEvent): Promise<WebhookEventData | null> {
  if ('emailId' in subject) {
    const { emailId } = subject;
    const [email, entry, hit] = await Promise.all([
      findFullEmail(workspaceId, emailId),
      'entry' in subject && subject.entry ? findHistoryEntry(workspaceId, emailId, subject.entry) : null,
      'hit' in subject ? findEngagement(workspaceId, emailId, subject.hit) : null,
    ]);
    return email && { kind: 'email', email, entry, hit };
  }
  if ('threadId' in subject) {
    const thread = await findThread(workspaceId, subject.threadId);
    const newest = thread && (await findFullEmail(workspaceId, thread.newestEmailId));
    return newest && { kind: 'thread', thread, newest };
  }
  const found = await findDomainWithKey(workspaceId, subject.domainId);
  return found && { kind: 'domain', domain: found.domain };
}

/** What an event is routed by; null where it has no addresses and passes every rule (interface, "Events", rule 3). */
function addressesOf(subject: WebhookEventData): RoutedAddresses | null {
  switch (subject.kind) {
    case 'email':
      return addressesOfEmail(subject.email);
    case 'thread':
      // A new thread has the one message it begins with, so that who gets the one event gets the other.
      return addressesOfEmail(subject.newest);
    case 'domain':
      return null;
  }
}

function addressesOfEmail({ head, content }: FullEmail): RoutedAddresses {
  const to = [...(content.to ?? head.to), ...content.cc, ...content.bcc].map(({ address }) => address);
  return {
    from: [head.from, ...content.replyTo].map(({ address }) => address),
    // Received as a blind copy or through a list, a message names us in its envelope only.
    to: [...to, ...(content.envelope ?? [])],
  };
}
