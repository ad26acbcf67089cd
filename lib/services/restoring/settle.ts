/** The operator's decision on emails that a restore has held and that SES has not reported since (docs/restoring.md#unconfirmed-mail). */

import { type EmailHead, isInSubmission } from '../../core/emails/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { holdChunk } from '../../storage/emails/chunks.ts';
import { findEmail } from '../../storage/emails/email-heads.ts';
import { type HeldChunk, scanHeldChunks } from '../../storage/restoring/unsubmitted.ts';
import { commitIfUnchanged } from '../../storage/table/transactions.ts';
import { completeRefused } from '../sending/complete-submission.ts';
import { sendMailMessage } from '../sending/submission-messages.ts';

/**
 * `send`: they are submitted, again where SES had them; scheduled ones at their time. `fail`: they are `failed`, with a reason;
 * scheduled ones stay, which their senders cancel. `list`: nothing changes.
 */
export const settlements = ['list', 'send', 'fail'] as const;
export type Settlement = (typeof settlements)[number];

/** Which held emails are meant; null: any. */
export interface HeldOnly {
  readonly workspaceId: WorkspaceId | null;
  readonly emailId: EmailId | null;
  /** Whether they are scheduled for later. */
  readonly isScheduled: boolean | null;
}

const reason = 'it is not known whether it was sent: the service was restored to an earlier time';

/** @returns the emails, as `<workspace>/<email>` */
export async function settleHeld(settlement: Settlement, only: HeldOnly): Promise<string[]> {
  const emails = new Set<string>();
  for await (const held of scanHeldChunks()) {
    const head = await findMeant(held, only);
    if (!head || (settlement === 'fail' && head.status === 'scheduled')) continue;
    emails.add(`${held.workspaceId}/${held.emailId}`);
    if (settlement === 'send') await submit(held);
    if (settlement === 'fail') {
      await completeRefused(held.workspaceId, { head }, held.chunk, { reason, isRefused: false });
    }
  }
  return [...emails];
}

/** The email of a chunk, where it is meant, and was not canceled since. */
async function findMeant({ workspaceId, emailId }: HeldChunk, only: HeldOnly): Promise<EmailHead | null> {
  if (only.workspaceId !== null && workspaceId !== only.workspaceId) return null;
  if (only.emailId !== null && emailId !== only.emailId) return null;
  const head = await findEmail(workspaceId, emailId);
  if (!head) return null;
  const isScheduled = head.status === 'scheduled';
  const isOpen = isScheduled || isInSubmission(head);
  return isOpen && (only.isScheduled ?? isScheduled) === isScheduled ? head : null;
}

/**
 * A claim without a time is one that has certainly sent nothing. A report that came meanwhile has completed the chunk. The message of
 * an email that is scheduled for later changes nothing.
 */
async function submit({ workspaceId, emailId, chunk }: HeldChunk): Promise<void> {
  await commitIfUnchanged(
    workspaceId,
    [holdChunk(workspaceId, emailId, chunk, { reason: null, claimedAt: 0 })],
    [{ message: sendMailMessage(workspaceId, emailId, chunk.number) }],
  );
}
