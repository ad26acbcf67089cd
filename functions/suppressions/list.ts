/** Lists suppressions. */
import { presentSuppression } from '../../lib/http/presenters/suppression.ts';
import { serve } from '../../lib/http/serve.ts';
import { getSpace } from '../../lib/storage/spaces.ts';
import { listSuppressions } from '../../lib/storage/suppressions.ts';
import { listSuppressionsOperation } from './list.contract.ts';

export const handler = serve(
  listSuppressionsOperation,
  async ({ caller: { workspaceId }, query, page, nextCursor }) => {
    const { space, key, reason, address } = query;
    const [{ items, next }] = await Promise.all([
      listSuppressions(workspaceId, { space, key, reason, address }, page()),
      space ? getSpace(workspaceId, space) : null,
    ]);
    return { status: 200, body: { data: items.map(presentSuppression), next_cursor: nextCursor(next) } };
  },
);
