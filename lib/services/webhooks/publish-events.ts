/** Fan-out of events: one delivery for every endpoint that subscribes to one (docs/concepts/webhooks.md#routing). */
import { now } from '../../adapters/clock.ts';
import type { FullEmail } from '../../core/emails/email.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { PublishEvent } from '../../core/queue-messages.ts';
import { newDelivery } from '../../core/webhooks/delivery.ts';
import type { Endpoint } from '../../core/webhooks/endpoint.ts';
import {
  type EventSubject,
  eventExpiry,
  type StoredEvent,
  spaceOf,
  type WebhookEvent,
} from '../../core/webhooks/event.ts';
import { passesRouting, type RoutedAddresses } from '../../core/webhooks/routing.ts';
import { allDone } from '../../core/work/all-done.ts';
import { once } from '../../core/work/once.ts';
import { env } from '../../env.ts';
import { findStoredEmailOrDraft } from '../../storage/emails/drafts.ts';
import { findEndpointState } from '../../storage/webhooks/endpoint-states.ts';
import { storeEvent } from '../../storage/webhooks/events.ts';
import { announceLive } from '../live/announce-live.ts';
import { type Announcement, announceDeliveries } from './announce-deliveries.ts';
import { type EventTakers, eventTakersOfBatch } from './event-takers.ts';
import { type EmailReader, loadSubject } from './load-subject.ts';
import { announcePorts } from './wait-ports.ts';

/** Publishes events. The results, in the order of the messages, are true, or why an event was not published. */
export type Publisher = (messages: readonly PublishEvent[]) => Promise<readonly PromiseSettledResult<true>[]>;

type Presenter = (event: WebhookEvent) => object;

/**
 * The publisher of a batch. It stores each event that an endpoint takes, or all where the workspace's event log is on, and
 * announces the deliveries and the live events: those of a call together. Idempotent: what exists stays as it is.
 *
 * @param present presents an event as the JSON that is posted
 */
export function publisherOfBatch(present: Presenter): Publisher {
  const takers = eventTakersOfBatch();
  return async (messages) => {
    // Of a new thread and its first message, among others. Not for longer: emails may be large, and states change.
    const reads = { takers, readEmail: once(findStoredEmailOrDraft), findState: once(findEndpointState) };
    const stored = await Promise.allSettled(messages.map((message) => storeTaken(message, reads, present)));
    const taken = stored.map((result) => (result.status === 'fulfilled' ? result.value : nothing));
    const created = taken.flatMap(({ announcements }) => announcements);
    const [announced, live] = await Promise.allSettled([
      announceDeliveries(announcePorts, created),
      announceLive(messages.filter((_, at) => taken[at]?.isStored)),
    ]);
    return stored.map((result): PromiseSettledResult<true> => {
      if (result.status === 'rejected') return result;
      const { announcements, isStored } = result.value;
      if (announcements.length > 0 && announced.status === 'rejected') return announced;
      return isStored && live.status === 'rejected' ? live : { status: 'fulfilled', value: true };
    });
  };
}

/** What the events of a call read, each once. */
interface SharedReads {
  readonly takers: EventTakers;
  readonly readEmail: EmailReader;
  readonly findState: typeof findEndpointState;
}

interface Taken {
  /** Its deliveries, which are not stored. */
  readonly announcements: readonly Announcement[];
  /** It is in the log. */
  readonly isStored: boolean;
}

const nothing: Taken = { announcements: [], isStored: false };

/** Stores an event where it is taken. */
async function storeTaken(
  message: PublishEvent,
  { takers, readEmail, findState }: SharedReads,
  present: Presenter,
): Promise<Taken> {
  const { workspaceId, type } = message;
  const subscribed = await takers.subscribed(workspaceId, type);
  // The item of the workspace, which much else reads, is read only where no endpoint subscribes.
  if (subscribed.length === 0 && !(await takers.hasEventLog(workspaceId))) return nothing;
  const withState = async ({ id: endpointId }: Endpoint) => ({
    endpointId,
    state: await findState(workspaceId, endpointId),
  });
  const [subject] = await allDone([
    loadSubject(workspaceId, message.subject, readEmail),
    // In a call of the subject's. An endpoint with rules may not take the event.
    allDone(subscribed.filter(hasNoRules).map(withState)),
  ]);
  // The subject was deleted meanwhile.
  if (!subject) return nothing;
  const taking = await passing(subscribed, () => addressesOf(workspaceId, subject, readEmail));
  if (taking.length === 0 && !(await takers.hasEventLog(workspaceId))) return nothing;
  const [event, endpoints] = await allDone([
    storeEvent(workspaceId, eventOf(message, subject, present)),
    allDone(taking.map(withState)),
  ]);
  const announcements = endpoints.map(({ endpointId, state }) => ({
    of: { workspaceId, endpointId },
    draft: newDelivery(event, endpointId, now()),
    state,
  }));
  return { announcements, isStored: true };
}

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

const hasNoRules = ({ routing }: Endpoint): boolean => routing.length === 0;

/** Those of `endpoints` that an event is routed to. Its addresses are read only where one of them has rules. */
async function passing(
  endpoints: readonly Endpoint[],
  readAddresses: () => Promise<RoutedAddresses | 'gone' | null>,
): Promise<readonly Endpoint[]> {
  if (endpoints.every(hasNoRules)) return endpoints;
  const addresses = await readAddresses();
  if (addresses === 'gone') return endpoints.filter(hasNoRules);
  return endpoints.filter(({ routing }) => passesRouting(routing, addresses));
}

/** The addresses of an event for routing; null where it has none and passes every rule. */
async function addressesOf(
  workspaceId: WorkspaceId,
  subject: EventSubject,
  readEmail: EmailReader,
): Promise<RoutedAddresses | 'gone' | null> {
  switch (subject.kind) {
    case 'email':
      return addressesOfEmail(subject.email);
    case 'thread': {
      // A new thread has one message: an endpoint gets the events of both or of neither.
      const newest = await readEmail(workspaceId, subject.thread.newestEmailId);
      return newest ? addressesOfEmail(newest) : 'gone';
    }
    case 'blocked':
      return { from: [subject.blocked.from], to: subject.blocked.to };
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
