/** Stores messages of connected mailboxes. */
import { parseQueueMessage } from '../../lib/core/queue-messages.ts';
import { receiveMailboxMessage } from '../../lib/services/mailboxes/receive-mailbox-message.ts';
import { consume } from '../../lib/services/queues/consume.ts';

export const handler = consume(async (body) => {
  await receiveMailboxMessage(parseQueueMessage('receive-mailbox-message', body));
});
