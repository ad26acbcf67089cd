/** The relay: sends the messages that changes were committed with (docs/decisions/0053-outbox-without-items.md). */
import { type CommittedMessages, readOutboxRecord } from '../../storage/outbox.ts';
import { scheduleMessage } from './schedule-message.ts';

/**
 * Sends the messages of a stream record. Repeated, it sends them again; consumers are idempotent.
 *
 * @param image the record's `NewImage`; undefined for a deletion
 */
export async function relayOutbox(image: object | undefined): Promise<void> {
  if (image) await sendMessages(readOutboxRecord(image));
}

/** Sends the messages of a change. */
export async function sendMessages({ id, messages }: CommittedMessages): Promise<void> {
  await Promise.all(messages.map((message, index) => scheduleMessage(message, `${id}-${index}`)));
}
