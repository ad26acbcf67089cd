/** Deletes an API key. */
import { Problem } from '../../lib/core/problems.ts';
import { serve } from '../../lib/http/serve.ts';
import { deleteKey } from '../../lib/storage/api-keys.ts';
import { deleteApiKeyOperation } from './delete.contract.ts';

export const handler = serve(deleteApiKeyOperation, async ({ caller, params }) => {
  const existed = await deleteKey(caller.workspaceId, params.key_id);
  if (!existed) throw new Problem('not_found', 'The API key does not exist.');
  return { status: 204, body: null };
});
