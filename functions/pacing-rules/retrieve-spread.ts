/** Retrieves the spread of pacing. */
import { serve } from '../../lib/http/serve.ts';
import { getSpread } from '../../lib/services/pacing/pacing-rules.ts';
import { retrievePacingSpreadOperation } from './retrieve-spread.contract.ts';

export const handler = serve(retrievePacingSpreadOperation, async ({ caller }) => {
  return { status: 200, body: { spread: await getSpread(caller.workspaceId) } };
});
