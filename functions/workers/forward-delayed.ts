/** Passes messages on once they are due. */
import type { DelayedMessage } from '../../lib/core/queue-messages.ts';
import { consume } from '../../lib/services/queues/consume.ts';
import { scheduleMessage } from '../../lib/services/queues/schedule-message.ts';

/** A schedule fires early by design, and a message may come early: `dispatch` lets it wait on until it is due. */
export const handler = consume(async (body, { messageId }) => {
  await scheduleMessage(JSON.parse(body) as DelayedMessage, messageId);
});
