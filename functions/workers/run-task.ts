/** Checks domains in the background. */
import { parseMessage } from '../../lib/domain/messages.ts';
import { consume } from '../../lib/services/consume.ts';
import { checkInBackground } from '../../lib/services/domain-check.ts';

export const handler = consume(async (body) => {
  await checkInBackground(parseMessage('check-domain', body));
});
