/** Retrieves a mailbox. */
import { presentMailbox } from '../../lib/http/presenters/mailbox.ts';
import { serve } from '../../lib/http/serve.ts';
import { getMailbox } from '../../lib/services/mailboxes/mailboxes.ts';
import { retrieveMailboxOperation } from './retrieve.contract.ts';

export const handler = serve(retrieveMailboxOperation, async ({ caller, params }) => {
  return { status: 200, body: presentMailbox(await getMailbox(caller.workspaceId, params.mailbox_id)) };
});
