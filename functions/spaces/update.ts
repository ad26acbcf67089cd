/** Updates a Space. */
import { presentSpace } from '../../lib/http/presenters/space.ts';
import { serve } from '../../lib/http/serve.ts';
import { updateSpace } from '../../lib/services/spaces/spaces.ts';
import { updateSpaceOperation } from './update.contract.ts';

export const handler = serve(updateSpaceOperation, async ({ caller, params, body }) => {
  const space = await updateSpace(caller.workspaceId, params.space_id, {
    name: body.name,
    externalId: body.external_id,
  });
  return { status: 200, body: presentSpace(space) };
});
