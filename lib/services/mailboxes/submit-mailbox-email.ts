/** Emails that leave through mailboxes, on the table, the queues and the providers (docs/concepts/sending.md#mailboxes). */
import { type FullEmail, isInSubmission } from '../../core/emails/email.ts';
import type { SubmissionChunk } from '../../core/emails/submission.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { OutboxMessage, SubmitMailboxEmail } from '../../core/queue-messages.ts';
import { changeHead } from '../../storage/emails/email-heads.ts';
import { findFullEmail } from '../../storage/emails/emails.ts';
import { commit, commitIfUnchanged } from '../../storage/table/transactions.ts';
import { chunksOfEmail, submitMailboxMessage } from '../sending/submission-messages.ts';
import { whenDue } from '../sending/when-due.ts';
import { submitChunk } from './submit-chunk.ts';
import { submitPorts } from './submit-ports-table.ts';

/** Processes a `submit-mailbox-email` message. Idempotent. */
export async function submitMailboxEmail(message: SubmitMailboxEmail): Promise<void> {
  const next = await submit(message);
  if (next) await commit(message.workspaceId, [], [next]);
}

/** @returns the message that continues the submission, where no state changes with it */
async function submit({ workspaceId, emailId, chunk }: SubmitMailboxEmail): Promise<OutboxMessage | null> {
  const found = await findFullEmail(workspaceId, emailId);
  const email = found && (await whenDue(workspaceId, found));
  const mailboxId = email?.head.mailboxId;
  if (!email || !mailboxId) return null;
  const chunks = chunksOfEmail(email);
  if (chunk === null && chunks.length > 1) {
    await fanOut(workspaceId, email, chunks.length);
    return null;
  }
  const number = chunk ?? 0;
  const job = { workspaceId, email, mailboxId, number, of: chunks.length, recipients: chunks[number] ?? [] };
  const dueAt = await submitChunk(submitPorts(job), claimOf(email, number));
  return dueAt === null ? null : { message: submitMailboxMessage(workspaceId, emailId, number), dueAt };
}

/** Gives each message of optional mail, which has one recipient, a queue message of its own. */
async function fanOut(workspaceId: WorkspaceId, { head }: FullEmail, chunks: number): Promise<void> {
  if (head.status !== 'queued') return;
  await commitIfUnchanged(
    workspaceId,
    [changeHead(workspaceId, head.id, { status: 'sending' }, { status: 'queued' })],
    Array.from({ length: chunks }, (_, number) => ({
      message: submitMailboxMessage(workspaceId, head.id, number),
    })),
  );
}

function claimOf({ head, chunks }: FullEmail, number: number): SubmissionChunk | null | 'completed' {
  const claim = chunks.find((chunk) => chunk.number === number) ?? null;
  return !isInSubmission(head) || (claim && claim.state !== 'claimed') ? 'completed' : claim;
}
