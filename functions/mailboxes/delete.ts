/** Disconnects a mailbox. */
import { presentMailbox } from '../../lib/http/presenters/mailbox.ts';
import { serve } from '../../lib/http/serve.ts';
import { disconnectMailbox } from '../../lib/services/mailboxes/disconnect.ts';
import { deleteMailboxOperation } from './delete.contract.ts';

export const handler = serve(deleteMailboxOperation, async ({ caller, params }) => {
  const mailbox = await disconnectMailbox(caller.workspaceId, params.mailbox_id, caller.actor);
  return { status: 200, body: presentMailbox(mailbox) };
});
