/** Forwards delayed messages when they are due. */
import type { DelayedMessage } from '../../lib/core/queue-messages.ts';
import { consume } from '../../lib/services/queues/consume.ts';
import { scheduleMessage } from '../../lib/services/queues/schedule-message.ts';

/** A message can arrive before it is due: schedules fire early by design. `scheduleMessage` then delays it again. */
export const handler = consume(async (body, { messageId }) => {
  await scheduleMessage(JSON.parse(body) as DelayedMessage, messageId);
});
