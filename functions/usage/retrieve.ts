/** Retrieves usage by day. */
import { serve } from '../../lib/http/serve.ts';
import { getUsage } from '../../lib/services/usage/usage.ts';
import { retrieveUsageOperation } from './retrieve.contract.ts';

export const handler = serve(retrieveUsageOperation, async ({ caller, query }) => {
  return { status: 200, body: { data: [...(await getUsage(caller.workspaceId, query.days))] } };
});
