/** Creates suppressions. */
import { presentSuppression } from '../../lib/http/presenters/suppression.ts';
import { serve } from '../../lib/http/serve.ts';
import { createSuppressions } from '../../lib/services/suppressions/suppressions.ts';
import { createSuppressionsOperation } from './create.contract.ts';

export const handler = serve(createSuppressionsOperation, async ({ caller, body }) => {
  const { addresses, key, scope, space_id: spaceId, note } = body;
  const input = { key, scope, spaceId, note };
  const suppressions = await createSuppressions(caller.workspaceId, addresses, input);
  return { status: 201, body: { data: suppressions.map(presentSuppression) } };
});
