/** Deletes a pacing rule. */
import { serve } from '../../lib/http/serve.ts';
import { deleteRule } from '../../lib/services/pacing/pacing-rules.ts';
import { deletePacingRuleOperation } from './delete.contract.ts';

export const handler = serve(deletePacingRuleOperation, async ({ caller: { workspaceId }, params }) => {
  await deleteRule(workspaceId, params.rule_id);
  return { status: 204, body: null };
});
