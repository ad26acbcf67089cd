/** Updates the spread of pacing. */
import { serve } from '../../lib/http/serve.ts';
import { setSpread } from '../../lib/services/pacing/pacing-rules.ts';
import { updatePacingSpreadOperation } from './update-spread.contract.ts';

export const handler = serve(updatePacingSpreadOperation, async ({ caller, body }) => {
  return { status: 200, body: { spread: await setSpread(caller.workspaceId, body.spread) } };
});
