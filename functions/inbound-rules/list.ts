/** Lists inbound rules. */
import { presentInboundRule } from '../../lib/http/presenters/inbound-rule.ts';
import { serve } from '../../lib/http/serve.ts';
import { listInboundRules } from '../../lib/services/inbound-rules/inbound-rules.ts';
import { listInboundRulesOperation } from './list.contract.ts';

export const handler = serve(listInboundRulesOperation, async ({ caller, query, page, nextCursor }) => {
  const { items, next } = await listInboundRules(caller.workspaceId, query.space, page());
  return { status: 200, body: { data: items.map(presentInboundRule), next_cursor: await nextCursor(next) } };
});
