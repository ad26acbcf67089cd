/** Synchronizes SES identities and tenants with the domains of workspaces. */
import { parseQueueMessageOf } from '../../lib/core/queue-messages.ts';
import { syncIdentity } from '../../lib/services/domains/sync-identity.ts';
import { syncTenant } from '../../lib/services/domains/tenants.ts';
import { consume } from '../../lib/services/queues/consume.ts';

export const handler = consume(async (body) => {
  const message = parseQueueMessageOf(['sync-identity', 'sync-tenant'], body);
  if (message.kind === 'sync-identity') await syncIdentity(message);
  else await syncTenant(message);
});
