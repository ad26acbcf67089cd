/** Retrieves an inbound rule. */
import { presentInboundRule } from '../../lib/http/presenters/inbound-rule.ts';
import { serve } from '../../lib/http/serve.ts';
import { getInboundRule } from '../../lib/services/inbound-rules/inbound-rules.ts';
import { retrieveInboundRuleOperation } from './retrieve.contract.ts';

export const handler = serve(retrieveInboundRuleOperation, async ({ caller, params }) => {
  const rule = await getInboundRule(caller.workspaceId, params.inbound_rule_id);
  return { status: 200, body: presentInboundRule(rule) };
});
