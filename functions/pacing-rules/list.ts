/** Lists pacing rules. */
import { presentPacingRule } from '../../lib/http/presenters/pacing-rule.ts';
import { serve } from '../../lib/http/serve.ts';
import { listRules } from '../../lib/services/pacing/pacing-rules.ts';
import { listPacingRulesOperation } from './list.contract.ts';

export const handler = serve(listPacingRulesOperation, async ({ caller, query, page, nextCursor }) => {
  const { items, next } = await listRules(caller.workspaceId, query.space, page());
  return { status: 200, body: { data: items.map(presentPacingRule), next_cursor: await nextCursor(next) } };
});
