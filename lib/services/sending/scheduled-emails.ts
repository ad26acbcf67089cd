/** Scheduled emails: their hour, moved and canceled. */
import { now } from '../../adapters/clock.ts';
import type { EmailHead } from '../../core/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { Problem } from '../../core/problems.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import { changeHead, findEmail } from '../../storage/emails.ts';
import { enqueue } from '../../storage/outbox.ts';
import { addToScheduleIndex, removeFromScheduleIndex } from '../../storage/schedule-index.ts';
import { ifUnchanged, type Write } from '../../storage/table.ts';

/** Gives a scheduled email another hour. @throws Problem invalid_request, not_found, not_scheduled */
export async function reschedule(
  workspaceId: WorkspaceId,
  id: EmailId,
  scheduledAt: number,
): Promise<EmailHead> {
  checkSchedule(scheduledAt);
  return await change(workspaceId, id, { scheduledAt }, [
    addToScheduleIndex(workspaceId, id, scheduledAt),
    ...enqueue(workspaceId, [sendMailMessage(workspaceId, id, scheduledAt)]),
  ]);
}

/** Cancels a scheduled email for good. @throws Problem not_found, not_scheduled */
export async function cancel(workspaceId: WorkspaceId, id: EmailId): Promise<EmailHead> {
  return await change(workspaceId, id, { status: 'canceled' }, []);
}

/** How often a change is tried against an email that changes under it. */
const triesMax = 5;

async function change(
  workspaceId: WorkspaceId,
  id: EmailId,
  changed: Pick<Partial<EmailHead>, 'status' | 'scheduledAt'>,
  writes: readonly Write[],
): Promise<EmailHead> {
  for (let tries = 1; tries <= triesMax; tries++) {
    const before = await findEmail(workspaceId, id);
    if (!before) throw new Problem('not_found', 'There is no such email.');
    const { status, scheduledAt, revision } = before;
    if (status !== 'scheduled' || scheduledAt === null) {
      throw new Problem('not_scheduled', `The email is ${status}, not scheduled.`);
    }
    // Moved to the very time it has: its timer and its note stand already.
    if (changed.scheduledAt === scheduledAt) return before;
    const written = await ifUnchanged([
      changeHead(workspaceId, id, changed, { revision }),
      removeFromScheduleIndex(workspaceId, id, scheduledAt),
      ...writes,
    ]);
    if (written) return { ...before, ...changed };
  }
  throw new Error(`the email ${id} keeps changing`);
}

/** A scheduled time lies ahead, by 30 days at most. @throws Problem invalid_request */
export function checkSchedule(scheduledAt: number | null): void {
  if (scheduledAt === null) return;
  const aheadMs = scheduledAt - now();
  const days = limits.scheduledAheadDays;
  const message = aheadMs <= 0 ? 'must be in the future' : `at most ${days} days ahead`;
  if (aheadMs > 0 && aheadMs <= days * 86_400_000) return;
  throw new Problem('invalid_request', 'The time of the scheduled email is out of range.', {
    issues: [{ path: 'scheduled_at', message }],
  });
}

/** The hand-off of an email, at once or at its hour. */
export function sendMailMessage(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  dueAt: number | null,
): OutboxMessage {
  const message = { kind: 'send-mail', v: 1, workspaceId, emailId, chunk: null } as const;
  return dueAt === null ? { message } : { message, dueAt };
}
