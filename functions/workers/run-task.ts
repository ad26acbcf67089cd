/** Rechecks the DNS records of domains. */
import { parseQueueMessage } from '../../lib/core/queue-messages.ts';
import { checkInBackground } from '../../lib/services/domains/check-domain.ts';
import { consume } from '../../lib/services/queues/consume.ts';

export const handler = consume(async (body) => {
  await checkInBackground(parseQueueMessage('check-domain', body));
});
