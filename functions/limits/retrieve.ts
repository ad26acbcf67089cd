/** Retrieves the limits of the workspace. */
import { presentWorkspaceLimits } from '../../lib/http/presenters/workspace-limits.ts';
import { serve } from '../../lib/http/serve.ts';
import { getWorkspaceLimits } from '../../lib/services/limits/workspace-limits.ts';
import { retrieveLimitsOperation } from './retrieve.contract.ts';

export const handler = serve(retrieveLimitsOperation, async ({ caller }) => {
  return { status: 200, body: presentWorkspaceLimits(await getWorkspaceLimits(caller.workspaceId)) };
});
