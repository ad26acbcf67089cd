/** Claims a thread. */
import { presentClaim } from '../../lib/http/presenters/thread-marks.ts';
import { serve } from '../../lib/http/serve.ts';
import { claimThread } from '../../lib/services/threads/thread-marks.ts';
import { claimThreadOperation } from './claim.contract.ts';

export const handler = serve(claimThreadOperation, async ({ caller, params, body }) => {
  const { owner, ttl_seconds: ttlSeconds } = body;
  const claim = await claimThread(caller.workspaceId, params.thread_id, { owner, ttlSeconds });
  return { status: 200, body: presentClaim(claim) };
});
