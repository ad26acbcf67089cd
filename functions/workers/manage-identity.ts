/** Keeps SES identities in line with who holds their names. */
import { parseMessage } from '../../lib/domain/messages.ts';
import { consume } from '../../lib/services/consume.ts';
import { settleIdentity } from '../../lib/services/identity.ts';

export const handler = consume(async (body) => {
  await settleIdentity(parseMessage('settle-identity', body));
});
