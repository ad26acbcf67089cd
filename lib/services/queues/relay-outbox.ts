/** The relay: sends the messages that changes were committed with (docs/decisions/0053-outbox-without-items.md). */
import { allDone } from '../../core/all-done.ts';
import { type CommittedMessages, readOutboxRecord } from '../../storage/outbox.ts';
import { eventTakers } from '../webhooks/event-takers.ts';
import { scheduleMessage } from './schedule-message.ts';

/**
 * Sends the messages of a stream record. Repeated, it sends them again; consumers are idempotent.
 *
 * @param image the record's `NewImage`; undefined for a deletion
 */
export async function relayOutbox(image: object | undefined): Promise<void> {
  if (image) await sendMessages(readOutboxRecord(image));
}

/** Sends the messages of a change, except events that nobody takes: reading who takes them costs a tenth of a message. */
export async function sendMessages({ id, messages }: CommittedMessages): Promise<void> {
  await allDone(
    messages.map(async (outboxMessage, index) => {
      const { message } = outboxMessage;
      const isTaken =
        message.kind !== 'publish-event' || (await eventTakers(message.workspaceId, message.type)).isTaken;
      if (isTaken) await scheduleMessage(outboxMessage, `${id}-${index}`);
    }),
  );
}
