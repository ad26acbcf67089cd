/** Deletes an inbound rule. */
import { serve } from '../../lib/http/serve.ts';
import { deleteInboundRule } from '../../lib/services/inbound-rules/inbound-rules.ts';
import { deleteInboundRuleOperation } from './delete.contract.ts';

export const handler = serve(deleteInboundRuleOperation, async ({ caller: { workspaceId }, params }) => {
  await deleteInboundRule(workspaceId, params.inbound_rule_id);
  return { status: 204, body: null };
});
