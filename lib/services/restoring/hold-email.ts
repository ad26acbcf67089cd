/**
 * Holds back what a restored table takes for not submitted (docs/restoring.md#mail-that-may-have-left). Each way to SES leads
 * through the claim of a chunk, so that claims are all that is put: lanes, timers, pacing and messages stay as they are and end there.
 */
import type { FullEmail } from '../../core/emails/email.ts';
import { claimedByRestore, newClaim, type SubmissionChunk } from '../../core/emails/submission.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { env } from '../../env.ts';
import { hostOf } from '../../mail/addresses/addresses.ts';
import { findSenderOf } from '../../storage/domains/domain-claims.ts';
import { claimChunk } from '../../storage/emails/chunks.ts';
import { changeHead } from '../../storage/emails/email-heads.ts';
import { removeFromScheduleIndex } from '../../storage/emails/schedule-index.ts';
import { commitIfUnchanged, type Write } from '../../storage/table/transactions.ts';
import { chunksOfEmail } from '../sending/submission-messages.ts';

/** Claims of one transaction, which has 100 writes ("TransactWriteItems"). */
const claimsAtOnce = 90;

/**
 * Claims every chunk of an email that is not completed. Idempotent: what was killed in between is continued.
 *
 * @param since.restoredTo Unix milliseconds; the email may have left since
 * @param since.isLater it is scheduled for later, and has left only if it was rescheduled since
 * @throws Error where the email has changed since it was read
 */
export async function holdEmail(
  workspaceId: WorkspaceId,
  email: FullEmail,
  { restoredTo, isLater }: { readonly restoredTo: number; readonly isLater: boolean },
): Promise<void> {
  const claims = await claimsOf(workspaceId, email, restoredTo);
  for (let start = 0; start < claims.length; start += claimsAtOnce) {
    await write(workspaceId, email, claims.slice(start, start + claimsAtOnce));
  }
  const { id, status, revision, mailboxId, scheduledAt } = email.head;
  // Its timer leads to the claims, and the operator lets it leave at its time.
  if (isLater) return;
  // The worker of a mailbox asks the provider what it has sent, and goes on by itself.
  if (mailboxId !== null || status === 'sending') return;
  await write(workspaceId, email, [
    changeHead(workspaceId, id, { status: 'sending' }, { revision }),
    ...(status === 'scheduled' && scheduledAt !== null
      ? [removeFromScheduleIndex(workspaceId, id, scheduledAt)]
      : []),
  ]);
}

async function write(workspaceId: WorkspaceId, { head }: FullEmail, writes: readonly Write[]): Promise<void> {
  if (await commitIfUnchanged(workspaceId, writes)) return;
  throw new Error(`${head.id} has changed meanwhile: something works on the table`);
}

async function claimsOf(workspaceId: WorkspaceId, email: FullEmail, restoredTo: number): Promise<Write[]> {
  const { head } = email;
  const region = head.mailboxId ?? (await regionOf(workspaceId, head));
  const chunks = chunksOfEmail(email);
  return chunks.flatMap((recipients, number) => {
    const before = email.chunks.find((chunk) => chunk.number === number) ?? null;
    const claimedAt = head.mailboxId === null ? claimedByRestore : sinceWhen(before, restoredTo);
    if (before && (before.state !== 'claimed' || before.claimedAt === claimedAt)) return [];
    const attempt = (before?.attempt ?? 0) + 1;
    const claim = newClaim({ recipients, region, ...before, number, of: chunks.length, attempt, claimedAt });
    return [claimChunk(workspaceId, head.id, claim, before)];
  });
}

/** From when on the mailbox is searched for the message. */
function sinceWhen(before: SubmissionChunk | null, restoredTo: number): number {
  return before && before.claimedAt > 0 ? Math.min(before.claimedAt, restoredTo) : restoredTo;
}

async function regionOf(workspaceId: WorkspaceId, head: FullEmail['head']): Promise<string> {
  return (await findSenderOf(workspaceId, hostOf(head.from.address), head))?.region ?? env().DEFAULT_REGION;
}
