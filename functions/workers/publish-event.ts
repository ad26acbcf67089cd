/** Creates webhook deliveries of events. */
import { parseQueueMessage } from '../../lib/core/queue-messages.ts';
import { presentEvent } from '../../lib/http/presenters/events.ts';
import { consume } from '../../lib/services/queues/consume.ts';
import { publishEvent } from '../../lib/services/webhooks/publish-event.ts';

export const handler = consume(async (body) => {
  await publishEvent(parseQueueMessage('publish-event', body), presentEvent);
});
