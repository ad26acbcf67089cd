/** What deleted emails and threads have left is removed in two passes (docs/decisions/0081-deleted-mail.md). */
import type { EraseMail } from '../../core/queue-messages.ts';
import { commit } from '../../storage/table/transactions.ts';
import { endPass, erasureMessage, findErasure, removeErased } from '../../storage/teardown/erasures.ts';
import { hideRestOfThread, removeEventsOf } from './delete-mail.ts';

/** Processes an `erase-mail` message. Idempotent; after a crash its repetition finds what is left. */
export async function eraseMail({ workspaceId, of, pass }: EraseMail): Promise<void> {
  const erasure = await findErasure(workspaceId, of);
  // A repeated message: the pass is done.
  if (erasure?.pass !== pass) return;
  if (erasure.kind === 'email') {
    await removeEventsOf(workspaceId, erasure.head.id);
  } else if (!(await hideRestOfThread(workspaceId, erasure.thread.id))) {
    return await commit(workspaceId, [], [{ message: erasureMessage(workspaceId, of, pass) }]);
  }
  await removeErased(workspaceId, erasure, pass > 1);
  await endPass(workspaceId, erasure);
}
