/** Synchronizes SES identities with the domains of workspaces. */
import { parseQueueMessage } from '../../lib/core/queue-messages.ts';
import { syncIdentity } from '../../lib/services/domains/sync-identity.ts';
import { consume } from '../../lib/services/queues/consume.ts';

export const handler = consume(async (body) => {
  await syncIdentity(parseQueueMessage('sync-identity', body));
});
