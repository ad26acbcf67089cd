/** Attempts webhook deliveries. */
import { parseQueueMessage } from '../../lib/core/queue-messages.ts';
import { consume } from '../../lib/services/queues/consume.ts';
import { attemptDelivery } from '../../lib/services/webhooks/deliver-webhook.ts';

export const handler = consume(async (body) => {
  await attemptDelivery(parseQueueMessage('deliver-webhook', body));
});
