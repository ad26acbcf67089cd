/** Deletes a thread with its emails. */
import { serve } from '../../lib/http/serve.ts';
import { deleteThread } from '../../lib/services/teardown/delete-mail.ts';
import { deleteThreadOperation } from './delete.contract.ts';

export const handler = serve(deleteThreadOperation, async ({ caller, params }) => {
  await deleteThread(caller.workspaceId, params.thread_id, caller.actor);
  return { status: 204, body: null };
});
