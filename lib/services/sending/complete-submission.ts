/**
 * Completion of submissions: a chunk with its outcome, then what follows from it, and the status from the history.
 *
 * An accepted chunk is one write. Message-ID, head and history follow from it, and whoever finds one of them missing
 * writes it: the redelivered message of the submission, or the next event of the email
 * (docs/decisions/0056-the-chunk-is-the-completion.md).
 */
import { now } from '../../adapters/clock.ts';
import {
  type EmailHead,
  type EmailProgress,
  type EmailStatus,
  type HistoryEntry,
  historyEntryId,
  isInSubmission,
  mayFollow,
} from '../../core/emails/email.ts';
import { ownEmailId } from '../../core/emails/message-ids.ts';
import { missingSentEntries, type SentEntry, sentEntryOf } from '../../core/emails/sent-entries.ts';
import type { SubmissionChunk } from '../../core/emails/submission.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import { statusFromHistory } from '../../core/sending/provider-event.ts';
import { allDone } from '../../core/work/all-done.ts';
import { completeChunk } from '../../storage/emails/chunks.ts';
import { changeHead } from '../../storage/emails/email-heads.ts';
import { findProgressAgain, findProgressOf } from '../../storage/emails/emails.ts';
import { addHistoryEntry } from '../../storage/emails/history.ts';
import { indexMessageId } from '../../storage/emails/message-ids.ts';
import { commitIfUnchanged, type Write } from '../../storage/table/transactions.ts';
import { newEvent } from '../events/new-event.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';

/** A change with the messages that it produces. */
interface ChangeSet {
  readonly writes: readonly Write[];
  readonly messages: readonly OutboxMessage[];
}

const noChange: ChangeSet = { writes: [], messages: [] };

/**
 * Completes a chunk that the provider accepted, by its answer or event, and the email with its last chunk. Idempotent.
 *
 * @param accepted.providerId SES's id of the message, or that of the provider of a mailbox
 * @param accepted.messageId the Message-ID that recipients see; null: the one that SES writes
 * @returns whether this call completed the chunk
 */
export async function completeAccepted(
  workspaceId: WorkspaceId,
  { head }: Pick<EmailProgress, 'head'>,
  claim: SubmissionChunk,
  { providerId, messageId = null }: { readonly providerId: string; readonly messageId?: string | null },
): Promise<boolean> {
  const { id } = head;
  const outcome = { state: 'accepted', providerId, messageId, completedAt: now() } as const;
  const completed: SubmissionChunk = { ...claim, ...outcome };
  const isCompleted = await commitIfUnchanged(workspaceId, [
    completeChunk(workspaceId, id, claim, completed),
  ]);
  const sent = isCompleted && sentEntryOf(completed);
  // An event that came before the end of the email has written that end itself.
  if (sent && (await recordSent(workspaceId, head, sent))) return true;
  await completeEmail(workspaceId, id);
  return isCompleted;
}

/**
 * Completes a chunk that failed for good, with its history entry in one transaction. Idempotent.
 *
 * @param refusal.isRefused whether SES refused it; else it was not submitted
 */
export async function completeRefused(
  workspaceId: WorkspaceId,
  { head }: Pick<EmailProgress, 'head'>,
  claim: SubmissionChunk,
  { reason, isRefused }: { readonly reason: string; readonly isRefused: boolean },
): Promise<void> {
  const { id } = head;
  const { recipients, number, attempt } = claim;
  const at = now();
  const completed: SubmissionChunk = { ...claim, state: 'refused', reason, completedAt: at };
  const refusal = isRefused ? { isRefused } : {};
  const entry: HistoryEntry = { type: 'failed', at, recipients, detail: reason, ...refusal };
  // An email of one chunk ends in the same transaction.
  const end = completed.of === 1 ? submissionEnd(workspaceId, head, [completed]) : noChange;
  const writes = [
    completeChunk(workspaceId, id, claim, completed),
    addHistoryEntry(workspaceId, id, historyEntryId(at, `refused ${number} ${attempt}`), entry),
    ...end.writes,
  ];
  await commitIfUnchanged(workspaceId, writes, end.messages);
  await completeEmail(workspaceId, id);
}

/**
 * Writes what follows from an accepted chunk, without a transaction, which would cost twice as much. The history entry is
 * last, so that it proves the others; that of an only chunk carries the message of `email.sent`. Idempotent.
 *
 * @returns whether this call wrote all of them, the end of an email of one chunk included
 */
async function recordSent(
  workspaceId: WorkspaceId,
  head: EmailHead,
  { chunk, id, entry, messageId }: SentEntry,
): Promise<boolean> {
  const { id: emailId, spaceId, threadId } = head;
  const end = chunk.of === 1 ? submissionEnd(workspaceId, head, [chunk]) : noChange;
  const before: Write[] = [
    // An id of our own form names its email.
    ...(ownEmailId(messageId)
      ? []
      : [indexMessageId(workspaceId, spaceId, messageId, { emailId, threadId })]),
    ...(isInSubmission(head) ? end.writes : []),
  ];
  const written = await allDone(before.map((write) => commitIfUnchanged(workspaceId, [write])));
  // Somebody else has changed the head: what is left to write depends on how.
  if (written.includes(false)) return false;
  const isNew = await commitIfUnchanged(
    workspaceId,
    [addHistoryEntry(workspaceId, emailId, id, entry)],
    end.messages,
  );
  return chunk.of === 1 && isNew && isInSubmission(head);
}

/**
 * Writes what is missing of an email: what follows from its accepted chunks, its end where all chunks are completed, and
 * the status that its history gives: SES's events may precede the completion of the submission. Idempotent.
 *
 * Whoever writes a history entry calls this afterwards, so that the writer of the last entry decides with all of them.
 *
 * @param id of an email that the caller has found
 * @param head of the email, where the caller has read it: once it has been submitted, only its parts are read. A write on an
 * outdated head fails, and where the whole history changes nothing about an outdated status, no part of it did.
 */
export async function completeEmail(
  workspaceId: WorkspaceId,
  id: EmailId,
  head: EmailHead | null = null,
): Promise<void> {
  let known = head && !isInSubmission(head) ? head : null;
  const attempt = async () => {
    const progress = known
      ? await findProgressOf(workspaceId, known)
      : await findProgressAgain(workspaceId, id);
    known = null;
    if (progress && (await writeMissing(workspaceId, progress))) return conflict;
  };
  // However long it takes: a conflict is a step that another has made, and an email has only a few.
  await retryOnConflict(`email ${id}`, attempt, Number.POSITIVE_INFINITY);
}

/**
 * As `completeEmail`, without a further read where nothing is missing. It does not write what follows from `progress` itself:
 * head and parts that were read at the same time may not fit together.
 */
export async function completeFound(workspaceId: WorkspaceId, progress: EmailProgress): Promise<void> {
  const { writes } = nextChange(workspaceId, progress);
  if (writes.length === 0 && missingSentEntries(progress).length === 0) return;
  await completeEmail(workspaceId, progress.head.id);
}

/** @returns whether more may be missing */
async function writeMissing(workspaceId: WorkspaceId, progress: EmailProgress): Promise<boolean> {
  const missing = missingSentEntries(progress);
  // One by one: an email to hundreds has hundreds, all of whose workers may have been killed.
  for (const sent of missing) await recordSent(workspaceId, progress.head, sent);
  // Its head has changed, too.
  if (missing.some(({ chunk }) => chunk.of === 1)) return true;
  const { writes, messages } = nextChange(workspaceId, progress);
  if (writes.length === 0) return false;
  const isWritten = await commitIfUnchanged(workspaceId, writes, messages);
  // The end of a submission may follow entries that were written since the parts were read. A status may not: whoever has
  // written one since decides anew.
  return !isWritten || isInSubmission(progress.head);
}

function nextChange(workspaceId: WorkspaceId, progress: EmailProgress): ChangeSet {
  const { head, chunks } = progress;
  if (isInSubmission(head)) return submissionEnd(workspaceId, head, chunks);
  const status = nextStatus(progress);
  if (!status) return noChange;
  const { id, revision } = head;
  return { writes: [changeHead(workspaceId, id, { status }, { revision })], messages: [] };
}

/** The change from `queued` or `sending` to `sent` or `failed`, with its event; none while a chunk is pending. */
function submissionEnd(
  workspaceId: WorkspaceId,
  { id: emailId, status }: EmailHead,
  chunks: readonly SubmissionChunk[],
): ChangeSet {
  const completed = chunks.filter(({ state }) => state !== 'claimed');
  if (completed.length === 0 || completed.some(({ of }) => completed.length < of)) return noChange;
  // The same for whoever writes it.
  const at = Math.max(...completed.map(({ completedAt, claimedAt }) => completedAt ?? claimedAt));
  const accepted = completed.some(({ state }) => state === 'accepted');
  const change = accepted ? { status: 'sent' as const, sentAt: at } : { status: 'failed' as const };
  const type = accepted ? 'email.sent' : 'email.failed';
  return {
    writes: [changeHead(workspaceId, emailId, change, { status })],
    messages: [{ message: newEvent(workspaceId, type, at, { emailId }) }],
  };
}

/** The status that the history gives an email; null where it stays as it is. */
function nextStatus({ head, chunks, history }: EmailProgress): EmailStatus | null {
  const envelope = chunks.flatMap(({ recipients }) => recipients);
  const next = statusFromHistory(history, envelope);
  return next !== head.status && mayFollow(head.status, next) ? next : null;
}
