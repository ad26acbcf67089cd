/** Updates an inbound rule. */
import { presentInboundRule } from '../../lib/http/presenters/inbound-rule.ts';
import { serve } from '../../lib/http/serve.ts';
import { updateInboundRule } from '../../lib/services/inbound-rules/inbound-rules.ts';
import { updateInboundRuleOperation } from './update.contract.ts';

export const handler = serve(updateInboundRuleOperation, async ({ caller, params, body }) => {
  const rule = await updateInboundRule(caller.workspaceId, params.inbound_rule_id, body);
  return { status: 200, body: presentInboundRule(rule) };
});
