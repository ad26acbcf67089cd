/** Creates a Space. */
import { presentSpace } from '../../lib/http/presenters/space.ts';
import { serve } from '../../lib/http/serve.ts';
import { createSpace } from '../../lib/services/spaces/spaces.ts';
import { createSpaceOperation } from './create.contract.ts';

export const handler = serve(createSpaceOperation, async ({ caller, body }) => {
  const space = await createSpace(caller.workspaceId, { name: body.name, externalId: body.external_id });
  return { status: 201, body: presentSpace(space) };
});
