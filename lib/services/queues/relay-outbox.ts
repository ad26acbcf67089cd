/** The relay: sends the messages that changes were committed with (docs/decisions/0053-outbox-without-items.md). */
import { allDone } from '../../core/all-done.ts';
import type { QueueMessage } from '../../core/queue-messages.ts';
import { type CommittedMessages, readOutboxRecord } from '../../storage/outbox.ts';
import { type EventTakers, isTaken } from '../webhooks/event-takers.ts';
import { scheduleMessage } from './schedule-message.ts';

/**
 * Sends the messages of a stream record. Repeated, it sends them again; consumers are idempotent.
 *
 * @param image the record's `NewImage`; undefined for a deletion
 * @param takers of the batch of the record
 */
export async function relayOutbox(image: object | undefined, takers: EventTakers): Promise<void> {
  const committed = image && (await readOutboxRecord(image));
  if (committed) await sendMessages(committed, takers);
}

/** Sends the messages of a change, except events that nobody takes: reading who takes them costs a tenth of a message. */
export async function sendMessages({ id, messages }: CommittedMessages, takers: EventTakers): Promise<void> {
  await allDone(
    messages.map(async (outboxMessage, index) => {
      if (await isNeeded(outboxMessage.message, takers)) {
        await scheduleMessage(outboxMessage, `${id}-${index}`);
      }
    }),
  );
}

async function isNeeded(message: QueueMessage, takers: EventTakers): Promise<boolean> {
  return message.kind !== 'publish-event' || (await isTaken(takers, message.workspaceId, message.type));
}
