/** Lists Spaces. */
import { presentSpace } from '../../lib/http/presenters/space.ts';
import { serve } from '../../lib/http/serve.ts';
import { listSpaces } from '../../lib/services/spaces/spaces.ts';
import { listSpacesOperation } from './list.contract.ts';

export const handler = serve(listSpacesOperation, async ({ caller, query, page, nextCursor }) => {
  const { items, next } = await listSpaces(caller.workspaceId, query.external_id, page());
  return { status: 200, body: { data: items.map(presentSpace), next_cursor: await nextCursor(next) } };
});
