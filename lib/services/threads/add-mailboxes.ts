/** Copies of a message: its thread is listed under the recipients of all of them (docs/concepts/threads.md#copies-and-duplicates). */
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { findEmail } from '../../storage/emails/email-heads.ts';
import { ConditionFailed, commit } from '../../storage/table/transactions.ts';
import { addMailboxes, findThread } from '../../storage/threads/threads.ts';
import { conflict, joinPatienceMs, retryOnConflict } from '../retry-on-conflict.ts';

/**
 * Lists the thread of a received email under the recipients of a copy, which may arrive apart. Idempotent.
 *
 * @param mailboxes the copy's envelope recipients in the space of the email
 */
export async function addRecipientsOfCopy(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  mailboxes: readonly string[],
): Promise<void> {
  const email = await findEmail(workspaceId, emailId);
  if (!email) return;
  await retryOnConflict(
    `thread of email ${emailId}`,
    async () => {
      const thread = await findThread(workspaceId, email.threadId);
      const writes = thread ? addMailboxes(workspaceId, thread, mailboxes) : [];
      if (writes.length === 0) return;
      try {
        await commit(workspaceId, writes);
      } catch (error) {
        if (error instanceof ConditionFailed && error.write === 'thread') return conflict;
        throw error;
      }
    },
    joinPatienceMs,
  );
}
