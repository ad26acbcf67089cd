/** What becomes of a hand-off once it is known: a chunk settled, the email ended with its last chunk, its status. */
import { now } from '../../adapters/clock.ts';
import { type EmailStatus, type HistoryEntry, mayFollow } from '../../core/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { wireMessageId } from '../../core/mail/message-ids.ts';
import { statusFromHistory } from '../../core/mail/provider-event.ts';
import { type Chunk, completeChunk } from '../../storage/chunks.ts';
import { addHistoryEntry, changeHead, type EmailProgress, findProgress } from '../../storage/emails.ts';
import { indexMessageId } from '../../storage/message-ids.ts';
import { enqueue } from '../../storage/outbox.ts';
import { ifUnchanged, type Write } from '../../storage/table.ts';
import { newEvent } from '../webhooks/new-event.ts';

/** Settles a chunk that SES took, as its answer or its report says, and ends the email where it was the last one. */
export async function completeAccepted(
  workspaceId: WorkspaceId,
  { head }: Pick<EmailProgress, 'head'>,
  claim: Chunk,
  providerId: string,
): Promise<void> {
  const messageId = wireMessageId(claim.region, providerId);
  const { recipients } = claim;
  const entry: HistoryEntry = { type: 'sent', at: now(), recipients, detail: messageId };
  await complete(workspaceId, head.id, { ...claim, state: 'accepted', providerId }, [
    completeChunk(workspaceId, head.id, claim, { state: 'accepted', providerId }),
    indexMessageId(workspaceId, head.spaceId, messageId, { emailId: head.id, threadId: head.threadId }),
    addHistoryEntry(workspaceId, head.id, entry, `sent ${providerId}`),
  ]);
}

/** Settles a chunk that SES refused for good. */
export async function completeRefused(
  workspaceId: WorkspaceId,
  { head }: Pick<EmailProgress, 'head'>,
  claim: Chunk,
  reason: string,
): Promise<void> {
  const { recipients, number, attempt } = claim;
  const entry: HistoryEntry = { type: 'failed', at: now(), recipients, detail: reason };
  await complete(workspaceId, head.id, { ...claim, state: 'refused', reason }, [
    completeChunk(workspaceId, head.id, claim, { state: 'refused', reason }),
    addHistoryEntry(workspaceId, head.id, entry, `refused ${number} ${attempt}`),
  ]);
}

/** Writes the settlement. An email of one chunk ends with it, in one transaction. */
async function complete(
  workspaceId: WorkspaceId,
  id: EmailId,
  settled: Chunk,
  writes: readonly Write[],
): Promise<void> {
  await ifUnchanged([...writes, ...(settled.of === 1 ? ending(workspaceId, id, [settled]) : [])]);
  await completeEmail(workspaceId, id);
}

/**
 * Ends an email whose chunks are all settled, where that has not been written yet, and brings its status in line with
 * its history: reports may come before the hand-off they speak of is settled. Safe to repeat at any point.
 */
export async function completeEmail(workspaceId: WorkspaceId, id: EmailId): Promise<void> {
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

function unfinished(workspaceId: WorkspaceId, progress: EmailProgress): Write[] {
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
    ...enqueue(workspaceId, [
      {
        message: newEvent(workspaceId, accepted ? 'email.sent' : 'email.failed', at, { emailId: id }),
      },
    ]),
  ];
}

/** The status that `history` gives an email, or null where it stays as it is. */
function nextStatus({ head, chunks }: EmailProgress, history: readonly HistoryEntry[]): EmailStatus | null {
  // Until every chunk is settled, the hand-off says what the status is.
  if (head.status === 'sending') return null;
  const envelope = chunks.flatMap(({ recipients }) => recipients);
  const next = statusFromHistory(history, envelope);
  return next !== head.status && mayFollow(head.status, next) ? next : null;
}
