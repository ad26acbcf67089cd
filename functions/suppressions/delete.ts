/** Deletes a suppression. */
import { serve } from '../../lib/http/serve.ts';
import { deleteSuppression } from '../../lib/services/suppressions/suppressions.ts';
import { deleteSuppressionOperation } from './delete.contract.ts';

export const handler = serve(deleteSuppressionOperation, async ({ caller: { workspaceId }, params }) => {
  await deleteSuppression(workspaceId, params.suppression_id);
  return { status: 204, body: null };
});
