/** Retrieves a suppression. */
import { presentSuppression } from '../../lib/http/presenters/suppression.ts';
import { serve } from '../../lib/http/serve.ts';
import { getSuppression } from '../../lib/services/suppressions/suppressions.ts';
import { retrieveSuppressionOperation } from './retrieve.contract.ts';

export const handler = serve(retrieveSuppressionOperation, async ({ caller: { workspaceId }, params }) => {
  const suppression = await getSuppression(workspaceId, params.suppression_id);
  return { status: 200, body: presentSuppression(suppression) };
});
