/** Publishes events that are due later, that the relay could not publish, and that an operator replays. */

import { parseQueueMessage } from '../../lib/core/queue-messages.ts';
import { valuesOf } from '../../lib/core/work/all-done.ts';
import { presentEvent } from '../../lib/http/presenters/events.ts';
import { consumeBatches } from '../../lib/services/queues/consume.ts';
import { publisherOfBatch } from '../../lib/services/webhooks/publish-events.ts';

export const handler = consumeBatches(() => {
  const publish = publisherOfBatch(presentEvent);
  return async (body) => {
    valuesOf(await publish([parseQueueMessage('publish-event', body)]));
  };
});
