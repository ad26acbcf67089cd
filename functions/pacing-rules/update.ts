/** Updates a pacing rule. */
import { limitOf, presentPacingRule, scheduleOf } from '../../lib/http/presenters/pacing-rule.ts';
import { serve } from '../../lib/http/serve.ts';
import { updateRule } from '../../lib/services/pacing/pacing-rules.ts';
import { updatePacingRuleOperation } from './update.contract.ts';

export const handler = serve(updatePacingRuleOperation, async ({ caller, params, body }) => {
  const { limit, schedule, ...change } = body;
  const rule = await updateRule(caller.workspaceId, params.rule_id, {
    ...change,
    limit: limit && limitOf(limit),
    schedule: schedule && scheduleOf(schedule),
  });
  return { status: 200, body: presentPacingRule(rule) };
});
