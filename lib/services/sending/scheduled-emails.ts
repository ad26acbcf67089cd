import type { EmailHead } from '../../core/emails/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { Problem } from '../../core/problems.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import { changeHead, findEmail } from '../../storage/emails/email-heads.ts';
import { addToScheduleIndex, removeFromScheduleIndex } from '../../storage/emails/schedule-index.ts';
import { commitIfUnchanged, type Write } from '../../storage/table/transactions.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { checkSchedule } from './accept-checks.ts';
import { sendMailMessage } from './submission-messages.ts';

/** Moves a scheduled email to another time. @throws Problem invalid_request, not_found, not_scheduled */
export async function reschedule(
  workspaceId: WorkspaceId,
  id: EmailId,
  scheduledAt: number,
): Promise<EmailHead> {
  checkSchedule(scheduledAt);
  return await changeScheduled(
    workspaceId,
    id,
    { scheduledAt },
    {
      writes: [addToScheduleIndex(workspaceId, id, scheduledAt)],
      messages: [{ message: sendMailMessage(workspaceId, id, null), dueAt: scheduledAt }],
    },
  );
}

/** Cancels a scheduled email for good. @throws Problem not_found, not_scheduled */
export async function cancel(workspaceId: WorkspaceId, id: EmailId): Promise<EmailHead> {
  return await changeScheduled(workspaceId, id, { status: 'canceled' }, { writes: [], messages: [] });
}

async function changeScheduled(
  workspaceId: WorkspaceId,
  id: EmailId,
  change: { readonly status?: 'canceled'; readonly scheduledAt?: number },
  { writes, messages }: { readonly writes: readonly Write[]; readonly messages: readonly OutboxMessage[] },
): Promise<EmailHead> {
  return await retryOnConflict(`email ${id}`, async () => {
    const before = await findEmail(workspaceId, id);
    if (!before) throw new Problem('not_found', 'There is no such email.');
    const { status, scheduledAt, revision } = before;
    if (status !== 'scheduled' || scheduledAt === null) {
      throw new Problem('not_scheduled', `The email is ${status}, not scheduled.`);
    }
    // The timer and the index entry of this time exist.
    if (change.scheduledAt === scheduledAt) return before;
    const isCommitted = await commitIfUnchanged(
      workspaceId,
      [
        changeHead(workspaceId, id, change, { revision }),
        removeFromScheduleIndex(workspaceId, id, scheduledAt),
        ...writes,
      ],
      messages,
    );
    return isCommitted ? { ...before, ...change } : conflict;
  });
}
