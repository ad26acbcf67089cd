/** Completion of submissions: a chunk with its outcome, the email with its last chunk, the status from the history. */
import { now } from '../../adapters/clock.ts';
import {
  type EmailHead,
  type EmailProgress,
  type EmailStatus,
  type HistoryEntry,
  historyEntryId,
  isInSubmission,
  mayFollow,
} from '../../core/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { ownEmailId, wireMessageId } from '../../core/mail/message-ids.ts';
import { statusFromHistory } from '../../core/mail/provider-event.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import type { SubmissionChunk } from '../../core/submission.ts';
import { completeChunk } from '../../storage/chunks.ts';
import { changeHead, findProgress } from '../../storage/emails.ts';
import { addHistoryEntry } from '../../storage/history.ts';
import { indexMessageId } from '../../storage/message-ids.ts';
import { commitIfUnchanged, type Write } from '../../storage/transactions.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { newEvent } from '../webhooks/new-event.ts';

/** A change with the messages that it produces. */
interface ChangeSet {
  readonly writes: readonly Write[];
  readonly messages: readonly OutboxMessage[];
}

const noChange: ChangeSet = { writes: [], messages: [] };

/**
 * Completes a chunk that the provider accepted, by its answer or event, and the email with its last chunk. Idempotent.
 *
 * @param providerId SES's id of the message, or that of the provider of a mailbox
 * @param messageId the Message-ID that recipients see; default: the one that SES writes
 */
export async function completeAccepted(
  workspaceId: WorkspaceId,
  { head }: Pick<EmailProgress, 'head'>,
  claim: SubmissionChunk,
  providerId: string,
  messageId = wireMessageId(claim.region, providerId),
): Promise<void> {
  const { id, spaceId, threadId } = head;
  const entry: HistoryEntry = { type: 'sent', at: now(), recipients: claim.recipients, detail: messageId };
  const outcome = { state: 'accepted', providerId } as const;
  await complete(workspaceId, head, { ...claim, ...outcome }, [
    completeChunk(workspaceId, id, claim, outcome),
    // An id of our own form names its email.
    ...(ownEmailId(messageId)
      ? []
      : [indexMessageId(workspaceId, spaceId, messageId, { emailId: id, threadId })]),
    addHistoryEntry(workspaceId, id, historyEntryId(entry.at, `sent ${providerId}`), entry),
  ]);
}

/**
 * Completes a chunk that failed for good. Idempotent.
 *
 * @param isRefused whether SES refused it; else it was not submitted
 */
export async function completeRefused(
  workspaceId: WorkspaceId,
  { head }: Pick<EmailProgress, 'head'>,
  claim: SubmissionChunk,
  reason: string,
  isRefused: boolean,
): Promise<void> {
  const { id } = head;
  const { recipients, number, attempt } = claim;
  const refusal = isRefused ? { isRefused } : {};
  const entry: HistoryEntry = { type: 'failed', at: now(), recipients, detail: reason, ...refusal };
  const outcome = { state: 'refused', reason } as const;
  await complete(workspaceId, head, { ...claim, ...outcome }, [
    completeChunk(workspaceId, id, claim, outcome),
    addHistoryEntry(workspaceId, id, historyEntryId(entry.at, `refused ${number} ${attempt}`), entry),
  ]);
}

/** Commits a completed chunk. An email of one chunk completes in the same transaction. */
async function complete(
  workspaceId: WorkspaceId,
  head: EmailHead,
  completed: SubmissionChunk,
  writes: readonly Write[],
): Promise<void> {
  const end = completed.of === 1 ? submissionEnd(workspaceId, head, [completed]) : noChange;
  await commitIfUnchanged(workspaceId, [...writes, ...end.writes], end.messages);
  await completeEmail(workspaceId, head.id);
}

/** Commits of an email that may conflict: every report of a large email updates its status. */
const completionTriesMax = 8;

/**
 * Completes an email whose chunks are all completed, and brings its status in line with its history: SES's events may
 * precede the completion of the submission. Idempotent.
 */
export async function completeEmail(workspaceId: WorkspaceId, id: EmailId): Promise<void> {
  await retryOnConflict(
    `email ${id}`,
    async () => {
      const progress = await findProgress(workspaceId, id);
      if (!progress) return;
      const { writes, messages } = nextChange(workspaceId, progress);
      if (writes.length === 0) return;
      // Read again in either case: more may have been written meanwhile.
      await commitIfUnchanged(workspaceId, writes, messages);
      return conflict;
    },
    completionTriesMax,
  );
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
  const at = now();
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
