/** The relay: sends the messages of outbox items (docs/decisions/0008-transactional-outbox.md). */
import { type OutboxItem, readOutboxRecord } from '../../storage/outbox.ts';
import { scheduleMessage } from './schedule-message.ts';

/**
 * Sends the messages of a stream record and deletes its outbox item. Repeated before the deletion, it sends them again;
 * consumers are idempotent.
 *
 * @param image the record's `NewImage`; undefined for a deletion
 */
export async function relayOutbox(image: object | undefined): Promise<void> {
  if (!image) return;
  await sendOutboxItem(readOutboxRecord(image));
}

/** Sends the messages of an outbox item, then deletes it. */
export async function sendOutboxItem(item: OutboxItem): Promise<void> {
  await Promise.all(item.messages.map((message, index) => scheduleMessage(message, `${item.id}-${index}`)));
  await item.delete();
}
