/** Releases a thread. */
import { serve } from '../../lib/http/serve.ts';
import { releaseThread } from '../../lib/services/threads/thread-marks.ts';
import { releaseThreadOperation } from './release.contract.ts';

export const handler = serve(releaseThreadOperation, async ({ caller, params, query }) => {
  await releaseThread(caller.workspaceId, params.thread_id, query.owner);
  return { status: 204, body: null };
});
