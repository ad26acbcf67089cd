/** The relay: sends the messages that changes were committed with (docs/decisions/0053-outbox-without-items.md). */
import { allDone } from '../../core/all-done.ts';
import type { QueueMessage } from '../../core/queue-messages.ts';
import { type CommittedMessages, readOutboxRecord } from '../../storage/outbox.ts';
import { type EventTakers, ifTaken } from '../webhooks/event-takers.ts';
import { type ScheduledMessage, scheduleMessages } from './schedule-message.ts';

/**
 * Sends the messages of stream records; those of one queue together, since a call costs as much as one message. Repeated, it
 * sends them again; consumers are idempotent.
 *
 * @param images the `NewImage` of each record; undefined for a deletion
 * @param takers of the batch of the records
 * @returns the result of each record
 */
export async function relayOutbox(
  images: readonly (object | undefined)[],
  takers: EventTakers,
): Promise<readonly PromiseSettledResult<void>[]> {
  return await sendNeeded(
    images.map(async (image) => {
      const committed = image && (await readOutboxRecord(image));
      return committed ? await neededOf(committed, takers) : [];
    }),
  );
}

/** Sends the messages of changes, except events that nobody takes. The results are in the order of `changes`. */
export async function sendMessages(
  changes: readonly CommittedMessages[],
  takers: EventTakers,
): Promise<readonly PromiseSettledResult<void>[]> {
  return await sendNeeded(changes.map((change) => neededOf(change, takers)));
}

async function sendNeeded(
  reading: readonly Promise<readonly ScheduledMessage[]>[],
): Promise<readonly PromiseSettledResult<void>[]> {
  const changes = await Promise.allSettled(reading);
  const messages = changes.flatMap((change, of) =>
    change.status === 'fulfilled' ? change.value.map((message) => ({ of, message })) : [],
  );
  const results = await scheduleMessages(messages.map(({ message }) => message));
  const failed = new Map<number, PromiseRejectedResult>();
  for (const [at, { of }] of messages.entries()) {
    const result = results[at];
    if (result?.status === 'rejected') failed.set(of, result);
  }
  return changes.map((change, of) =>
    change.status === 'rejected' ? change : (failed.get(of) ?? { status: 'fulfilled', value: undefined }),
  );
}

/** The messages of a change without events that nobody takes: reading who takes them costs a tenth of a message. */
async function neededOf(
  { id, messages }: CommittedMessages,
  takers: EventTakers,
): Promise<readonly ScheduledMessage[]> {
  const needed = await allDone(
    messages.map(async ({ message, ...more }, index) => {
      const kept = await ifNeeded(message, takers);
      return kept ? [{ message: kept, ...more, name: `${id}-${index}` }] : [];
    }),
  );
  return needed.flat();
}

async function ifNeeded(message: QueueMessage, takers: EventTakers): Promise<QueueMessage | null> {
  return message.kind === 'publish-event' ? await ifTaken(message, takers) : message;
}
