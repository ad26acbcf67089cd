/** Lists suppressions. */
import { presentSuppression } from '../../lib/http/presenters/suppression.ts';
import { serve } from '../../lib/http/serve.ts';
import { listSuppressions } from '../../lib/services/suppressions/suppressions.ts';
import { listSuppressionsOperation } from './list.contract.ts';

export const handler = serve(listSuppressionsOperation, async ({ caller, query, page, nextCursor }) => {
  const { space, key, reason, address } = query;
  const filter = { space, key, reason, address };
  const { items, next } = await listSuppressions(caller.workspaceId, filter, page());
  return { status: 200, body: { data: items.map(presentSuppression), next_cursor: await nextCursor(next) } };
});
