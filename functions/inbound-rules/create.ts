/** Creates an inbound rule. */
import { presentInboundRule } from '../../lib/http/presenters/inbound-rule.ts';
import { serve } from '../../lib/http/serve.ts';
import { createInboundRule } from '../../lib/services/inbound-rules/inbound-rules.ts';
import { createInboundRuleOperation } from './create.contract.ts';

export const handler = serve(createInboundRuleOperation, async ({ caller, body }) => {
  const { space_id: spaceId, ...settings } = body;
  const rule = await createInboundRule(caller.workspaceId, { ...settings, spaceId });
  return { status: 201, body: presentInboundRule(rule) };
});
