/** Whether an email that was scheduled may be submitted: whatever message says so, may have come before. */
import type { FullEmail } from '../../core/emails/email.ts';
import type { WorkspaceId } from '../../core/ids.ts';

/** The email where its time has come; null where it is scheduled for later, or held. */
export async function whenDue(workspaceId: WorkspaceId, email: FullEmail): Promise<FullEmail | null> {
  const { status, scheduledAt } = email.head;
  if (scheduledAt === null || (status !== 'scheduled' && status !== 'queued')) return email;
  // Few emails are scheduled, and the bundles of the workers that submit them are large.
  const { promoteScheduled } = await import('./promote-scheduled.ts');
  return await promoteScheduled(workspaceId, email);
}
