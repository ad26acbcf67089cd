/**
 * The relay: sends the messages that changes were committed with (docs/decisions/0053-outbox-without-items.md), and publishes
 * their events itself (docs/decisions/0060-the-relay-publishes-events.md).
 */
import type { PublishEvent } from '../../core/queue-messages.ts';
import { describeError, logEvent } from '../../observability/log.ts';
import { type CommittedMessages, readOutboxRecord } from '../../storage/outbox.ts';
import type { Publisher } from '../webhooks/publish-events.ts';
import { type ScheduledMessage, scheduleMessages } from './schedule-message.ts';

type Result = PromiseSettledResult<void>;
type Event = ScheduledMessage & { readonly message: PublishEvent };

const done: Result = { status: 'fulfilled', value: undefined };

/**
 * Sends the messages of stream records; those of one queue together, since a call costs as much as one message. Repeated, it
 * sends them again; consumers are idempotent.
 *
 * @param images the `NewImage` of each record; undefined for a deletion
 * @returns the result of each record
 */
export async function relayOutbox(
  images: readonly (object | undefined)[],
  publish: Publisher,
): Promise<readonly Result[]> {
  const changes = await Promise.allSettled(
    images.map(async (image) => (image && (await readOutboxRecord(image))) ?? null),
  );
  return await resultsOf(changes, async (messages) => {
    const events = messages.filter(isEvent);
    const others = messages.filter((message) => !isEvent(message));
    const [left, sent] = await Promise.all([publishNow(events, publish), scheduleMessages(others)]);
    const retried = await scheduleMessages(left);
    return new Map([
      ...events.map((event) => [event, done] as const),
      ...others.map((message, at) => [message, sent[at] ?? done] as const),
      ...left.map((event, at) => [event, retried[at] ?? done] as const),
    ]);
  });
}

/** Sends the messages of changes to their queues. The results are in the order of `changes`. */
export async function sendMessages(changes: readonly CommittedMessages[]): Promise<readonly Result[]> {
  const read = changes.map((value) => ({ status: 'fulfilled', value }) as const);
  return await resultsOf(read, async (messages) => {
    const sent = await scheduleMessages(messages);
    return new Map(messages.map((message, at) => [message, sent[at] ?? done]));
  });
}

/** @param send the result of each message */
async function resultsOf(
  changes: readonly PromiseSettledResult<CommittedMessages | null>[],
  send: (messages: readonly ScheduledMessage[]) => Promise<ReadonlyMap<ScheduledMessage, Result>>,
): Promise<readonly Result[]> {
  const messagesOf = changes.map((change) => (change.status === 'fulfilled' ? named(change.value) : []));
  const sent = await send(messagesOf.flat());
  return changes.map((change, at) => {
    if (change.status === 'rejected') return change;
    const results = messagesOf[at]?.map((message) => sent.get(message) ?? done) ?? [];
    return results.find(({ status }) => status === 'rejected') ?? done;
  });
}

function named(change: CommittedMessages | null): ScheduledMessage[] {
  if (!change) return [];
  return change.messages.map((message, index) => ({ ...message, name: `${change.id}-${index}` }));
}

function isEvent(message: ScheduledMessage): message is Event {
  return message.message.kind === 'publish-event' && message.dueAt === undefined;
}

/** Publishes events. @returns those that were not: their queue tries them again, and keeps them apart from the records behind them */
async function publishNow(events: readonly Event[], publish: Publisher): Promise<readonly Event[]> {
  const results = await publish(events.map(({ message }) => message));
  return events.filter(({ message: { eventId } }, at) => {
    const result = results[at];
    if (result?.status !== 'rejected') return false;
    logEvent('relay.event_deferred', { event_id: eventId, error: describeError(result.reason) });
    return true;
  });
}
