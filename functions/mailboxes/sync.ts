/** Synchronizes a mailbox. */
import { serve } from '../../lib/http/serve.ts';
import { requestSync } from '../../lib/services/mailboxes/request-sync.ts';
import { syncMailboxOperation } from './sync.contract.ts';

export const handler = serve(syncMailboxOperation, async ({ caller: { workspaceId }, params }) => {
  await requestSync(workspaceId, params.mailbox_id);
  return { status: 202, body: { status: 'queued' as const } };
});
