/** Deletes an email or a draft. */
import { serve } from '../../lib/http/serve.ts';
import { deleteEmail } from '../../lib/services/teardown/delete-mail.ts';
import { deleteEmailOperation } from './delete.contract.ts';

export const handler = serve(deleteEmailOperation, async ({ caller, params }) => {
  await deleteEmail(caller.workspaceId, params.email_id, caller.actor);
  return { status: 204, body: null };
});
