/** `POST /mailboxes/{mailbox_id}/sync`: a catch-up in the background (docs/concepts/mailboxes.md#synchronization). */
import type { MailboxId, WorkspaceId } from '../../core/ids.ts';
import { Problem } from '../../core/problems.ts';
import { findMailbox } from '../../storage/mailboxes/mailboxes.ts';
import { commit } from '../../storage/table/transactions.ts';
import { syncMailboxMessage } from './sync-messages.ts';

/** Queues a synchronization; one that runs looks again. @throws Problem not_found, mailbox_inactive */
export async function requestSync(workspaceId: WorkspaceId, mailboxId: MailboxId): Promise<void> {
  const mailbox = await findMailbox(workspaceId, mailboxId);
  if (!mailbox) throw new Problem('not_found', 'There is no such mailbox.');
  if (mailbox.state !== 'active') {
    throw new Problem('mailbox_inactive', `The mailbox is ${mailbox.state}: it has to be connected again.`);
  }
  await commit(workspaceId, [], [{ message: syncMailboxMessage(workspaceId, mailboxId, null) }]);
}
