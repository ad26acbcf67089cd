/** Makes the attempts of webhook deliveries. */
import { parseMessage } from '../../lib/domain/messages.ts';
import { consume } from '../../lib/services/consume.ts';
import { deliver } from '../../lib/services/deliver.ts';

export const handler = consume(async (body) => {
  await deliver(parseMessage('deliver-webhook', body));
});
