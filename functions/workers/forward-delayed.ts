/** Forwards delayed messages when they are due. */
import { now } from '../../lib/adapters/clock.ts';
import { sendToQueue } from '../../lib/adapters/queues.ts';
import { queues } from '../../lib/core/access/access.ts';
import { delaySecondsMax, parseDelayedMessage, queueOf } from '../../lib/core/queue-messages.ts';
import { consume } from '../../lib/services/queues/consume.ts';

/**
 * A message comes up to a minute early from a schedule, and waits in its queue. In the delay queue it would be a loop of this function. FIFO
 * queues delay no single message ("Amazon SQS message timers"): what they hold may come early.
 */
export const handler = consume(async (body, { messageId }) => {
  const { message, dueAt } = parseDelayedMessage(body);
  const waitSeconds = Math.min(delaySecondsMax, Math.max(0, Math.ceil((dueAt - now()) / 1000)));
  await sendToQueue(message, messageId, queues[queueOf(message).queue].fifo ? 0 : waitSeconds);
});
