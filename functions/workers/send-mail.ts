/** Submits emails to SES. */
import { parseQueueMessage } from '../../lib/core/queue-messages.ts';
import { consume } from '../../lib/services/queues/consume.ts';
import { submitEmail } from '../../lib/services/sending/submit-email.ts';

export const handler = consume(async (body) => {
  await submitEmail(parseQueueMessage('send-mail', body));
});
