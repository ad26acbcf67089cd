/** Retrieves a Space. */
import { presentSpace } from '../../lib/http/presenters/space.ts';
import { serve } from '../../lib/http/serve.ts';
import { getSpace } from '../../lib/services/spaces/spaces.ts';
import { retrieveSpaceOperation } from './retrieve.contract.ts';

export const handler = serve(retrieveSpaceOperation, async ({ caller, params }) => {
  const space = await getSpace(caller.workspaceId, params.space_id);
  return { status: 200, body: presentSpace(space) };
});
