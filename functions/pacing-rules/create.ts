/** Creates a pacing rule. */
import { effectOf, presentPacingRule } from '../../lib/http/presenters/pacing-rule.ts';
import { serve } from '../../lib/http/serve.ts';
import { createRule } from '../../lib/services/pacing/pacing-rules.ts';
import { createPacingRuleOperation } from './create.contract.ts';

export const handler = serve(createPacingRuleOperation, async ({ caller, body }) => {
  const { name, enabled, match, space_id: spaceId } = body;
  const rule = await createRule(caller.workspaceId, { name, enabled, match, spaceId, ...effectOf(body) });
  return { status: 201, body: presentPacingRule(rule) };
});
