/** Stores received mail. */
import { consume } from '../../lib/services/queues/consume.ts';
import { receiveMessage } from '../../lib/services/receiving/receive-message.ts';

export const handler = consume(receiveMessage);
