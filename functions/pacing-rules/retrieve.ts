/** Retrieves a pacing rule. */
import { presentPacingRule } from '../../lib/http/presenters/pacing-rule.ts';
import { serve } from '../../lib/http/serve.ts';
import { getRule } from '../../lib/services/pacing/pacing-rules.ts';
import { retrievePacingRuleOperation } from './retrieve.contract.ts';

export const handler = serve(retrievePacingRuleOperation, async ({ caller, params }) => {
  const rule = await getRule(caller.workspaceId, params.rule_id);
  return { status: 200, body: presentPacingRule(rule) };
});
