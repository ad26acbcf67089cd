/** Hands emails to SES. */
import { parseMessage } from '../../lib/domain/messages.ts';
import { consume } from '../../lib/services/consume.ts';
import { handOff } from '../../lib/services/hand-off.ts';

export const handler = consume(async (body) => {
  await handOff(parseMessage('send-mail', body));
});
