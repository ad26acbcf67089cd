/** Changes labels and read state of a thread. */
import { now } from '../../lib/adapters/clock.ts';
import { presentThread } from '../../lib/http/presenters/thread.ts';
import { serve } from '../../lib/http/serve.ts';
import { updateThread } from '../../lib/services/threads/thread-marks.ts';
import { updateThreadOperation } from './update.contract.ts';

export const handler = serve(updateThreadOperation, async ({ caller, params, body }) => {
  const thread = await updateThread(caller.workspaceId, params.thread_id, body);
  return { status: 200, body: presentThread(thread, now()) };
});
