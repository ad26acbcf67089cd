/** Scheduled emails whose time has come (docs/concepts/sending.md#scheduling). */
import { now } from '../../adapters/clock.ts';
import type { FullEmail } from '../../core/emails/email.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { changeHead } from '../../storage/emails/email-heads.ts';
import { removeFromScheduleIndex } from '../../storage/emails/schedule-index.ts';
import { isHeld } from '../../storage/pacing/held-emails.ts';
import { findSendingGuard } from '../../storage/sending/sending-guards.ts';
import { commitIfUnchanged } from '../../storage/table/transactions.ts';
import { holdScheduled, type ScheduledHold } from './hold-scheduled.ts';
import { chunksOfEmail } from './submission-messages.ts';

/**
 * Queues a scheduled email whose time has come; null for one that is not due, whatever timer fired, or that pacing holds. A
 * timer may fire twice, and a message be delivered twice: one that is queued already goes on, unless it is held.
 */
export async function promoteScheduled(
  workspaceId: WorkspaceId,
  email: FullEmail,
): Promise<FullEmail | null> {
  const { id, status, scheduledAt, revision } = email.head;
  if (status === 'queued') return (await isHeld(workspaceId, email.head)) ? null : email;
  if (status !== 'scheduled' || scheduledAt === null || scheduledAt > now()) return null;
  const hold = await holdFor(workspaceId, email);
  const isPromoted = await commitIfUnchanged(
    workspaceId,
    [
      changeHead(workspaceId, id, { status: 'queued' }, { revision }),
      removeFromScheduleIndex(workspaceId, id, scheduledAt),
      ...(hold?.writes ?? []),
    ],
    hold?.messages,
  );
  if (hold?.isHeld) return null;
  return isPromoted ? { ...email, head: { ...email.head, status: 'queued' } } : null;
}

/** What pacing makes of a scheduled email whose time has come; null where the workspace has never had a rule. */
async function holdFor(workspaceId: WorkspaceId, email: FullEmail): Promise<ScheduledHold | null> {
  const { pacingVersion } = await findSendingGuard(workspaceId);
  if (pacingVersion === 0) return null;
  return holdScheduled(workspaceId, email, chunksOfEmail(email).flat());
}
