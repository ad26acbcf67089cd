/** Creates webhook deliveries of events. */
import { parseQueueMessage } from '../../lib/core/queue-messages.ts';
import { presentEvent } from '../../lib/http/presenters/events.ts';
import { consumeBatches } from '../../lib/services/queues/consume.ts';
import { eventTakersOfBatch } from '../../lib/services/webhooks/event-takers.ts';
import { publishEvent } from '../../lib/services/webhooks/publish-event.ts';

export const handler = consumeBatches(() => {
  const takers = eventTakersOfBatch();
  return (body) => publishEvent(parseQueueMessage('publish-event', body), takers, presentEvent);
});
