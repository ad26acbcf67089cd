/** Lists Spaces. */
import { presentSpace } from '../../lib/http/presenters/space.ts';
import { serve } from '../../lib/http/serve.ts';
import { findSpaceByExternalId, listSpaces } from '../../lib/storage/spaces.ts';
import { listSpacesOperation } from './list.contract.ts';

export const handler = serve(listSpacesOperation, async ({ caller, query, page, nextCursor }) => {
  if (query.external_id !== undefined) {
    const space = await findSpaceByExternalId(caller.workspaceId, query.external_id);
    return { status: 200, body: { data: space ? [presentSpace(space)] : [], next_cursor: null } };
  }
  const { items, next } = await listSpaces(caller.workspaceId, page());
  return { status: 200, body: { data: items.map(presentSpace), next_cursor: nextCursor(next) } };
});
