/** Background tasks: rechecks of domains, mails about outages of webhook endpoints, teardowns of deleted spaces. */
import { parseQueueMessageOf } from '../../lib/core/queue-messages.ts';
import { checkInBackground } from '../../lib/services/domains/check-domain.ts';
import { consume } from '../../lib/services/queues/consume.ts';
import { continueTeardown } from '../../lib/services/spaces/teardown-space.ts';
import { reportOutage } from '../../lib/services/webhooks/report-outage.ts';

export const handler = consume(async (body) => {
  const message = parseQueueMessageOf(['check-domain', 'report-outage', 'delete-space'], body);
  switch (message.kind) {
    case 'check-domain':
      return await checkInBackground(message);
    case 'report-outage':
      return await reportOutage(message);
    case 'delete-space':
      return await continueTeardown(message);
  }
});
