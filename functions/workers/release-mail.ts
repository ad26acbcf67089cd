/** Releases waiting emails at the sending rate of their region. */
import { parseQueueMessage } from '../../lib/core/queue-messages.ts';
import { consumeLanes } from '../../lib/services/sending/consume-lanes.ts';

export const handler = consumeLanes((body) => parseQueueMessage('release-mail', body));
