/** Makes deliveries of events, as they are presented to endpoints. */
import { parseMessage } from '../../lib/domain/messages.ts';
import { presentEvent } from '../../lib/http/records/events.ts';
import { consume } from '../../lib/services/consume.ts';
import { publish } from '../../lib/services/publish.ts';

export const handler = consume(async (body) => {
  await publish(parseMessage('publish-event', body), presentEvent);
});
