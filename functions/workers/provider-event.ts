/** Records SES event notifications. */
import { parseProviderEvent } from '../../lib/core/sending/provider-event.ts';
import { consume } from '../../lib/services/queues/consume.ts';
import { recordProviderEvent } from '../../lib/services/sending/record-provider-event.ts';

export const handler = consume(async (body) => {
  const event = parseProviderEvent(body);
  if (event) await recordProviderEvent(event);
});
