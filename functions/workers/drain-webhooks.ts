/** Passes webhook attempts of 0.1.0 on to the queue of this release. */
import { sendToQueue } from '../../lib/adapters/queues.ts';
import { parseQueueMessage } from '../../lib/core/queue-messages.ts';
import { consume } from '../../lib/services/queues/consume.ts';

export const handler = consume(async (body) => {
  await sendToQueue(parseQueueMessage('deliver-webhook', body), '');
});
