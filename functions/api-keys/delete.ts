/** Deletes an API key. */
import { serve } from '../../lib/http/serve.ts';
import { deleteKey } from '../../lib/services/api-keys/api-keys.ts';
import { deleteApiKeyOperation } from './delete.contract.ts';

export const handler = serve(deleteApiKeyOperation, async ({ caller, params }) => {
  await deleteKey(caller.workspaceId, params.key_id, caller.actor);
  return { status: 204, body: null };
});
