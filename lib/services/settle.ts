/** What becomes of a hand-off once it is known: a chunk settled, the email ended with its last chunk, its status. */
import { now } from '../adapters/clock.ts';
import { type EmailStatus, type HistoryEntry, mayFollow } from '../domain/email.ts';
import type { EmailId, WorkspaceId } from '../domain/ids.ts';
import { wireMessageId } from '../domain/mail/message-ids.ts';
import { statusOfHistory } from '../domain/mail/provider-report.ts';
import { type Chunk, settleChunk } from '../storage/chunks.ts';
import { addHistory, changeHead, findProgress, type Progress } from '../storage/emails.ts';
import { indexMessageId } from '../storage/message-ids.ts';
import { owe } from '../storage/outbox.ts';
import { ifUnchanged, type Write } from '../storage/table.ts';
import { newEvent } from './event.ts';

/** Settles a chunk that SES took, as its answer or its report says, and ends the email where it was the last one. */
export async function settleAccepted(
  workspaceId: WorkspaceId,
  { head }: Pick<Progress, 'head'>,
  claim: Chunk,
  providerId: string,
): Promise<void> {
  const messageId = wireMessageId(claim.region, providerId);
  const { recipients } = claim;
  const entry: HistoryEntry = { type: 'sent', at: now(), recipients, detail: messageId };
  await settle(workspaceId, head.id, { ...claim, state: 'accepted', providerId }, [
    settleChunk(workspaceId, head.id, claim, { state: 'accepted', providerId }),
    indexMessageId(workspaceId, head.spaceId, messageId, { emailId: head.id, threadId: head.threadId }),
    addHistory(workspaceId, head.id, entry, `sent ${providerId}`),
  ]);
}

/** Settles a chunk that SES refused for good. */
export async function settleRefused(
  workspaceId: WorkspaceId,
  { head }: Pick<Progress, 'head'>,
  claim: Chunk,
  reason: string,
): Promise<void> {
  const { recipients, number, attempt } = claim;
  const entry: HistoryEntry = { type: 'failed', at: now(), recipients, detail: reason };
  await settle(workspaceId, head.id, { ...claim, state: 'refused', reason }, [
    settleChunk(workspaceId, head.id, claim, { state: 'refused', reason }),
    addHistory(workspaceId, head.id, entry, `refused ${number} ${attempt}`),
  ]);
}

/** Writes the settlement. An email of one chunk ends with it, in one transaction. */
async function settle(
  workspaceId: WorkspaceId,
  id: EmailId,
  settled: Chunk,
  writes: readonly Write[],
): Promise<void> {
  await ifUnchanged([...writes, ...(settled.of === 1 ? ending(workspaceId, id, [settled]) : [])]);
  await finish(workspaceId, id);
}

/**
 * Ends an email whose chunks are all settled, where that has not been written yet, and brings its status in line with
 * its history: reports may come before the hand-off they speak of is settled. Safe to repeat at any point.
 */
export async function finish(workspaceId: WorkspaceId, id: EmailId): Promise<void> {
  for (let tries = 1; tries <= triesMax; tries++) {
    const progress = await findProgress(workspaceId, id);
    if (!progress) return;
    const writes = unfinished(workspaceId, progress);
    if (writes.length === 0) return;
    // Whether it was written here or by somebody else: what is left then is seen on the next look.
    await ifUnchanged(writes);
  }
  throw new Error(`the email ${id} keeps changing`);
}

/** How often an email that changes under its writer is looked at again. */
const triesMax = 8;

function unfinished(workspaceId: WorkspaceId, progress: Progress): Write[] {
  const { head, history, chunks } = progress;
  if (head.status === 'sending') return ending(workspaceId, head.id, chunks);
  const status = nextStatus(progress, history);
  return status ? [changeHead(workspaceId, head.id, { status }, { revision: head.revision })] : [];
}

/** The writes that turn `sending` into `sent` or `failed` with its event; none while a chunk is open. */
function ending(workspaceId: WorkspaceId, id: EmailId, chunks: readonly Chunk[]): Write[] {
  const settled = chunks.filter(({ state }) => state !== 'claimed');
  if (settled.length === 0 || settled.some(({ of }) => settled.length < of)) return [];
  const at = now();
  const accepted = settled.find(({ state }) => state === 'accepted');
  const messageId = accepted?.providerId && wireMessageId(accepted.region, accepted.providerId);
  return [
    changeHead(
      workspaceId,
      id,
      accepted ? { status: 'sent', sentAt: at, ...(messageId && { messageId }) } : { status: 'failed' },
      { status: 'sending' },
    ),
    ...owe(workspaceId, [
      {
        message: newEvent(workspaceId, accepted ? 'email.sent' : 'email.failed', at, { emailId: id }),
      },
    ]),
  ];
}

/** The status that `history` gives an email, or null where it stays as it is. */
function nextStatus({ head, chunks }: Progress, history: readonly HistoryEntry[]): EmailStatus | null {
  // Until every chunk is settled, the hand-off says what the status is.
  if (head.status === 'sending') return null;
  const envelope = chunks.flatMap(({ recipients }) => recipients);
  const next = statusOfHistory(history, envelope);
  return next !== head.status && mayFollow(head.status, next) ? next : null;
}
