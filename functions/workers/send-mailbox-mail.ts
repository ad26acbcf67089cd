/** Submits emails through connected mailboxes. */
import { parseQueueMessage } from '../../lib/core/queue-messages.ts';
import { submitMailboxEmail } from '../../lib/services/mailboxes/submit-mailbox-email.ts';
import { consume } from '../../lib/services/queues/consume.ts';

export const handler = consume(async (body) => {
  await submitMailboxEmail(parseQueueMessage('submit-mailbox-email', body));
});
