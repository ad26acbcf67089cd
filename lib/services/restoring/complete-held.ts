/** Completes held submissions that the logs know, as a report of SES does. */
import type { FullEmail } from '../../core/emails/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { findProgress } from '../../storage/emails/emails.ts';
import { completeAccepted, completeEmail } from '../sending/complete-submission.ts';
import { chunksOfEmail } from '../sending/submission-messages.ts';

/** SES's ids of submissions by chunk; null: the logs have none. */
type Submitted = ReadonlyMap<number, string | null>;

/** Whether nothing of an email is left open. */
export function isSubmittedWhole(email: FullEmail, submitted: Submitted | undefined): boolean {
  if (!submitted) return false;
  const isCompleted = (number: number) =>
    email.chunks.some((chunk) => chunk.number === number && chunk.state !== 'claimed');
  return chunksOfEmail(email).every((_, number) => submitted.get(number) || isCompleted(number));
}

/** Of an email that is held. Repeated, it goes on where it was killed. */
export async function completeHeld(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  submitted: Submitted,
): Promise<void> {
  const progress = await findProgress(workspaceId, emailId);
  for (const chunk of progress?.chunks ?? []) {
    const providerId = submitted.get(chunk.number);
    if (!progress || !providerId || chunk.state !== 'claimed') continue;
    await completeAccepted(workspaceId, progress, chunk, { providerId });
  }
  await completeEmail(workspaceId, emailId);
}
