/** The operator's decision on emails that a restore has held and that SES has not reported since (docs/restoring.md#unconfirmed-mail). */
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { holdChunk } from '../../storage/emails/chunks.ts';
import { findEmail } from '../../storage/emails/email-heads.ts';
import { type HeldChunk, scanHeldChunks } from '../../storage/restoring/unsubmitted.ts';
import { commitIfUnchanged } from '../../storage/table/transactions.ts';
import { completeRefused } from '../sending/complete-submission.ts';
import { sendMailMessage } from '../sending/submission-messages.ts';

/** `send`: they are submitted, again where SES had them. `fail`: they are `failed`, with a reason. `list`: nothing changes. */
export const settlements = ['list', 'send', 'fail'] as const;
export type Settlement = (typeof settlements)[number];

const reason = 'it is not known whether it was sent: the service was restored to an earlier time';

/**
 * @param only.workspaceId null: of all workspaces
 * @param only.emailId null: all emails
 * @returns the emails, as `<workspace>/<email>`
 */
export async function settleHeld(
  settlement: Settlement,
  only: { readonly workspaceId: WorkspaceId | null; readonly emailId: EmailId | null },
): Promise<string[]> {
  const emails = new Set<string>();
  for await (const held of scanHeldChunks()) {
    if (only.workspaceId !== null && held.workspaceId !== only.workspaceId) continue;
    if (only.emailId !== null && held.emailId !== only.emailId) continue;
    emails.add(`${held.workspaceId}/${held.emailId}`);
    if (settlement === 'send') await submit(held);
    if (settlement === 'fail') await fail(held);
  }
  return [...emails];
}

/** A claim without a time is one that has certainly sent nothing. A report that came meanwhile has completed the chunk. */
async function submit({ workspaceId, emailId, chunk }: HeldChunk): Promise<void> {
  await commitIfUnchanged(
    workspaceId,
    [holdChunk(workspaceId, emailId, chunk, { reason: null, claimedAt: 0 })],
    [{ message: sendMailMessage(workspaceId, emailId, chunk.number) }],
  );
}

async function fail({ workspaceId, emailId, chunk }: HeldChunk): Promise<void> {
  const head = await findEmail(workspaceId, emailId);
  if (head) await completeRefused(workspaceId, { head }, chunk, { reason, isRefused: false });
}
