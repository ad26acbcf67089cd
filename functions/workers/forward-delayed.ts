/** Forwards delayed messages when they are due. */
import { parseDelayedMessage } from '../../lib/core/queue-messages.ts';
import { consume } from '../../lib/services/queues/consume.ts';
import { scheduleMessage } from '../../lib/services/queues/schedule-message.ts';

/** A message can arrive before it is due: schedules fire early by design. `scheduleMessage` then delays it again. */
export const handler = consume(async (body, { messageId }) => {
  await scheduleMessage(parseDelayedMessage(body), messageId);
});
