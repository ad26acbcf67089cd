/** Scheduled emails are moved and canceled (docs/concepts/sending.md#scheduling). */
import { now } from '../../adapters/clock.ts';
import { maySend } from '../../core/access/access.ts';
import { actorOf } from '../../core/access/api-key.ts';
import type { EmailHead, EmailHeadChange } from '../../core/emails/email.ts';
import type { EmailId } from '../../core/ids.ts';
import { Problem } from '../../core/problems.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import { changeHead, findEmail } from '../../storage/emails/email-heads.ts';
import { addToScheduleIndex, removeFromScheduleIndex } from '../../storage/emails/schedule-index.ts';
import { commitIfUnchanged, type Write } from '../../storage/table/transactions.ts';
import { newEvent } from '../events/new-event.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { checkSchedule } from './accept-checks.ts';
import type { Requester } from './accept-email.ts';
import { discardDraft } from './end-draft.ts';
import { sendMailMessage } from './submission-messages.ts';

/** Moves a scheduled email to another time. @throws Problem invalid_request, not_found, not_scheduled, forbidden */
export async function reschedule(requester: Requester, id: EmailId, scheduledAt: number): Promise<EmailHead> {
  const { workspaceId } = requester;
  checkSchedule(scheduledAt);
  return await changeScheduled(
    requester,
    id,
    { scheduledAt },
    {
      writes: [addToScheduleIndex(workspaceId, id, scheduledAt)],
      messages: [{ message: sendMailMessage(workspaceId, id, null), dueAt: scheduledAt }],
    },
  );
}

/**
 * Cancels a scheduled email for good, or discards a draft.
 *
 * @throws Problem not_found, not_scheduled, forbidden (a scheduled email, by a key that makes drafts only)
 */
export async function cancel(requester: Requester, id: EmailId): Promise<EmailHead> {
  const { workspaceId } = requester;
  const discarded = await discardDraft(requester, id);
  if (discarded) return discarded;
  const at = now();
  const cancellation = { reason: 'request', at, by: actorOf(requester), byEmailId: null } as const;
  const message = newEvent(workspaceId, 'email.canceled', at, { emailId: id });
  return await changeScheduled(
    requester,
    id,
    { status: 'canceled', cancellation },
    { writes: [], messages: [{ message }] },
  );
}

async function changeScheduled(
  { workspaceId, scope }: Requester,
  id: EmailId,
  change: Pick<EmailHeadChange, 'scheduledAt' | 'cancellation'> & { readonly status?: 'canceled' },
  { writes, messages }: { readonly writes: readonly Write[]; readonly messages: readonly OutboxMessage[] },
): Promise<EmailHead> {
  return await retryOnConflict(`email ${id}`, async () => {
    const before = await findEmail(workspaceId, id);
    if (!before) throw new Problem('not_found', 'There is no such email.');
    if (!maySend(scope))
      throw new Problem('forbidden', 'This key edits and discards drafts only; the email is none.');
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
