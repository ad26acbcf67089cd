/** Retrieves the queue of held emails. */
import { presentQueue } from '../../lib/http/presenters/pacing-queue.ts';
import { serve } from '../../lib/http/serve.ts';
import { readQueue } from '../../lib/services/pacing/pacing-queue.ts';
import { retrievePacingQueueOperation } from './retrieve.contract.ts';

export const handler = serve(retrievePacingQueueOperation, async ({ caller, query }) => {
  return { status: 200, body: presentQueue(await readQueue(caller.workspaceId, query.limit)) };
});
