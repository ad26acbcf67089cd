/** The claim of a chunk before its submission, to SES or through a mailbox (docs/concepts/sending.md#never-twice). */
import { now } from '../../adapters/clock.ts';
import { type FullEmail, historyEntryId } from '../../core/emails/email.ts';
import { newClaim, type SubmissionChunk } from '../../core/emails/submission.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { claimChunk } from '../../storage/emails/chunks.ts';
import { changeHead } from '../../storage/emails/email-heads.ts';
import { addHistoryEntry } from '../../storage/emails/history.ts';
import { countBlocks } from '../../storage/sending/suppression-checks.ts';
import { commitIfUnchanged, type Write } from '../../storage/table/transactions.ts';
import { type RecipientSplit, splitSuppressed } from '../suppressions/split-suppressed.ts';
import { logClaim } from './submission-outcomes.ts';

/** The recipients of a chunk that are left: suppressions that were added since the email was accepted count. */
export async function splitChunk(
  workspaceId: WorkspaceId,
  { head, content }: Pick<FullEmail, 'head' | 'content'>,
  recipients: readonly string[],
): Promise<RecipientSplit> {
  const { spaceId, suppressionKey: key } = head;
  const terms = { spaceId, key, isOptional: content.links?.unsubscribe ?? false };
  return await splitSuppressed(workspaceId, terms, recipients);
}

/** A chunk of an email that is to be claimed. */
export interface ClaimRequest {
  readonly number: number;
  /** Number of chunks of the email. */
  readonly of: number;
  /** Where it is submitted: an SES region, or the id of a mailbox. */
  readonly region: string;
  /** The claim before, which ended without an outcome; null: none. */
  readonly before: SubmissionChunk | null;
  readonly split: RecipientSplit;
}

/**
 * Claims a chunk, and notes in the history whom it leaves out. null: another worker has changed it, or a reply has canceled the
 * email.
 */
export async function claimSubmission(
  workspaceId: WorkspaceId,
  head: FullEmail['head'],
  { number, of, region, before, split }: ClaimRequest,
): Promise<SubmissionChunk | null> {
  const { id } = head;
  const attempt = (before?.attempt ?? 0) + 1;
  const claim = newClaim({ number, of, recipients: split.allowed, attempt, claimedAt: now(), region });
  const isClaimed = await commitIfUnchanged(workspaceId, [
    claimChunk(workspaceId, id, claim, before),
    ...(handedOff(head) === head
      ? []
      : [changeHead(workspaceId, id, { status: 'sending' }, { status: 'queued' })]),
    ...suppressedEntry(workspaceId, id, claim, split),
  ]);
  if (!isClaimed) return null;
  // A claim that was released has no time: its call has certainly sent nothing.
  if (before && before.claimedAt > 0) logClaim('submission.repeated', workspaceId, id, claim);
  await countBlocks(workspaceId, split.blocking);
  return claim;
}

/**
 * The head of an email after its hand-off. Of one that a reply would cancel, the hand-off changes the status, in the transaction
 * of the claim: either the reply's transaction cancels the email or it has left. An email of several chunks has this status before.
 */
export function handedOff(head: FullEmail['head']): FullEmail['head'] {
  return head.cancelOnReply && head.status === 'queued' ? { ...head, status: 'sending' } : head;
}

/** The writes that take the hand-off of a claim back, of which certainly nothing was sent: a reply may cancel the email again. */
export function takeBack(
  workspaceId: WorkspaceId,
  { id, cancelOnReply, status }: FullEmail['head'],
  { of }: Pick<SubmissionChunk, 'of'>,
): Write[] {
  if (!cancelOnReply || of > 1 || status !== 'sending') return [];
  return [changeHead(workspaceId, id, { status: 'queued' }, { status: 'sending' })];
}

/** The history entry of the recipients that the claim leaves out. */
function suppressedEntry(
  workspaceId: WorkspaceId,
  id: FullEmail['head']['id'],
  { number, attempt }: SubmissionChunk,
  { suppressed }: RecipientSplit,
): Write[] {
  if (suppressed.length === 0) return [];
  const entry = { type: 'suppressed', at: now(), recipients: suppressed, detail: null } as const;
  const entryId = historyEntryId(entry.at, `suppressed ${number} ${attempt}`);
  return [addHistoryEntry(workspaceId, id, entryId, entry)];
}
