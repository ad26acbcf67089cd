/** Changes of state of a mailbox, each with its event (docs/concepts/mailboxes.md#states). */
import { now } from '../../adapters/clock.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { Mailbox } from '../../core/mailboxes/mailbox.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import { changeMailboxState } from '../../storage/mailboxes/mailboxes.ts';
import { newEvent } from '../events/new-event.ts';

/**
 * Notes that the authorization of an active mailbox is gone. The credentials stay: `DELETE` revokes what is left of them.
 * False where the mailbox was changed since it was read, for example connected again: nothing was written.
 *
 * @param reason shown as `state_reason`
 */
export async function requireReauth(
  workspaceId: WorkspaceId,
  before: Mailbox,
  reason: string,
): Promise<boolean> {
  const after: Mailbox = {
    ...before,
    state: 'needs_reauth',
    stateReason: reason,
    revision: before.revision + 1,
  };
  const message = newEvent(workspaceId, 'mailbox.needs_reauth', now(), { mailboxId: before.id });
  if (!(await changeMailboxState(workspaceId, before, after, { messages: [{ message }] }))) return false;
  count('MailboxesNeedReauth', workspaceId);
  logEvent('mailbox.needs_reauth', { workspace_id: workspaceId, mailbox_id: before.id, reason });
  return true;
}
