/** Releases held emails. */
import { serve } from '../../lib/http/serve.ts';
import { releaseByHand } from '../../lib/services/pacing/pacing-queue.ts';
import { releasePacingQueueOperation } from './release.contract.ts';

export const handler = serve(releasePacingQueueOperation, async ({ caller, body }) => {
  const { email_ids: ids, count_toward_limits: isCounted } = body;
  return { status: 200, body: { data: [...(await releaseByHand(caller.workspaceId, ids, isCounted))] } };
});
