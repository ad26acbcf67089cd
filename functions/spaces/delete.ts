/** Deletes a Space. */
import { serve } from '../../lib/http/serve.ts';
import { deleteSpace } from '../../lib/services/teardown/delete-space.ts';
import { deleteSpaceOperation } from './delete.contract.ts';

export const handler = serve(deleteSpaceOperation, async ({ caller, params }) => {
  await deleteSpace(caller.workspaceId, params.space_id, caller.actor);
  return { status: 204, body: null };
});
