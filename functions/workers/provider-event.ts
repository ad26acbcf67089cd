/** Records what SES reports. */
import { parseProviderEvent } from '../../lib/core/mail/provider-event.ts';
import { consume } from '../../lib/services/queues/consume.ts';
import { recordProviderEvent } from '../../lib/services/sending/record-provider-event.ts';

export const handler = consume(async (body) => {
  const report = parseProviderEvent(body);
  if (report) await recordProviderEvent(report);
});
