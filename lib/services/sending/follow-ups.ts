/**
 * Emails that a message of a person cancels (docs/concepts/sending.md#cancellation-by-a-reply). Their thread names them, and
 * its item changes with each message of the thread: a reply that is stored cancels all that have not left, in its transaction.
 */
import type { EmailHead } from '../../core/emails/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { Problem } from '../../core/problems.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import type { Thread } from '../../core/threads/thread.ts';
import { changeHead, findEmails } from '../../storage/emails/email-heads.ts';
import { removeFromScheduleIndex } from '../../storage/emails/schedule-index.ts';
import type { Write } from '../../storage/table/transactions.ts';
import { newEvent } from '../events/new-event.ts';

/** Whether an email may be canceled: a hand-off changes the status of one that a reply would cancel. */
const isPending = ({ status, cancelOnReply }: EmailHead): boolean =>
  cancelOnReply === true && (status === 'scheduled' || status === 'queued');

async function pendingOf(workspaceId: WorkspaceId, ids: readonly EmailId[]): Promise<EmailHead[]> {
  const heads = await findEmails(workspaceId, ids);
  return heads.filter((head) => head !== null).filter(isPending);
}

/** The follow-ups of a thread with one more; those that have left are dropped. @throws Problem limit_reached */
export async function withFollowUp(
  workspaceId: WorkspaceId,
  thread: Pick<Thread, 'followUps'> | null,
  id: EmailId,
): Promise<readonly EmailId[]> {
  const known = thread?.followUps ?? [];
  if (known.length < limits.followUpsPerThread) return [...known, id];
  const pending = await pendingOf(workspaceId, known);
  if (pending.length < limits.followUpsPerThread) return [...pending.map((head) => head.id), id];
  throw new Problem(
    'limit_reached',
    `The thread has ${pending.length} emails that a reply would cancel, and can have no more.`,
  );
}

/** The writes and messages that cancel the follow-ups of a thread because of a received message. */
export async function cancelFollowUps(
  workspaceId: WorkspaceId,
  followUps: readonly EmailId[],
  reply: Pick<EmailHead, 'id' | 'createdAt'>,
): Promise<{ readonly writes: readonly Write[]; readonly messages: readonly OutboxMessage[] }> {
  const pending = await pendingOf(workspaceId, followUps);
  const cancellation = { reason: 'reply', at: reply.createdAt, by: null, byEmailId: reply.id } as const;
  return {
    writes: pending.flatMap(({ id, status, scheduledAt, revision }) => [
      changeHead(workspaceId, id, { status: 'canceled', cancellation }, { revision }),
      // One that is queued has left the index.
      ...(status === 'scheduled' && scheduledAt !== null
        ? [removeFromScheduleIndex(workspaceId, id, scheduledAt)]
        : []),
    ]),
    messages: pending.map(({ id: emailId }) => ({
      message: newEvent(workspaceId, 'email.canceled', reply.createdAt, { emailId }),
    })),
  };
}
