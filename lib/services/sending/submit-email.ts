/**
 * Submission of an email to SES: which of its chunks go now, and which wait for an identity, for others or for a slot
 * (docs/concepts/sending.md#never-twice).
 */
import { now } from '../../adapters/clock.ts';
import { type FullEmail, isInSubmission } from '../../core/emails/email.ts';
import { claimedByRestore } from '../../core/emails/submission.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import type { OutboxMessage, SendMail } from '../../core/queue-messages.ts';
import { env } from '../../env.ts';
import { hostOf } from '../../mail/addresses/addresses.ts';
import { findSenderOf } from '../../storage/domains/domain-claims.ts';
import { changeHead } from '../../storage/emails/email-heads.ts';
import { findFullEmail } from '../../storage/emails/emails.ts';
import { findSendingGuard } from '../../storage/sending/sending-guards.ts';
import { commit, commitIfUnchanged } from '../../storage/table/transactions.ts';
import { identityStateOf, wantIdentity } from '../domains/identity-state.ts';
import { splitChunk } from './claim-submission.ts';
import { completeFound } from './complete-submission.ts';
import { currentSlot, patienceMs, reserveNow } from './send-slots.ts';
import {
  chunksOfEmail,
  releaseMailMessage,
  sendMailMessage,
  submitMailboxMessage,
} from './submission-messages.ts';
import {
  again,
  claimAndSubmit,
  completed,
  type Job,
  type Result,
  type Slot,
  type SubmissionState,
  stateWait,
  unconfirmedWaitMs,
} from './submit-chunk.ts';
import { whenDue } from './when-due.ts';

/** How a submission gets a slot: it has one, it waits for one in its lane, or it takes one only if nobody waits. */
type Turn = Slot | 'lane' | 'at once';

/** Processes a `send-mail` message. Idempotent. */
export async function submitEmail(message: SendMail): Promise<void> {
  const { next } = await continueSubmission(message);
  if (next) await commit(message.workspaceId, [], [next]);
}

async function continueSubmission({ workspaceId, emailId, chunk, slot }: SendMail): Promise<Result> {
  const finding = findFullEmail(workspaceId, emailId);
  if (!slot) return await submit(workspaceId, await finding, chunk, 'lane');
  const { region, recipients } = slot;
  // At the same time: most emails come in time for their slot.
  const [reserved, found] = await Promise.all([currentSlot(region, slot.at, recipients), finding]);
  if (reserved.time > now() + patienceMs) {
    const message = sendMailMessage(workspaceId, emailId, chunk, { region, recipients, at: reserved.at });
    return { state: 'waiting', next: { message, dueAt: reserved.time } };
  }
  return await submit(workspaceId, found, chunk, { region, ...reserved });
}

/** Submits a new email within a request, unless others wait for a slot. Its queued message continues what is left. */
export async function submitInRequest(workspaceId: WorkspaceId, emailId: EmailId): Promise<SubmissionState> {
  const found = await findFullEmail(workspaceId, emailId);
  return (await submit(workspaceId, found, null, 'at once')).state;
}

async function submit(
  workspaceId: WorkspaceId,
  found: FullEmail | null,
  chunk: number | null,
  turn: Turn,
): Promise<Result> {
  const email = found && (await whenDue(workspaceId, found));
  if (!email) return { state: 'waiting' };
  // Timers, pacing and the sweep do not know of mailboxes: this worker passes their emails on.
  if (email.head.mailboxId !== null) {
    return { state: 'waiting', next: { message: submitMailboxMessage(workspaceId, email.head.id, chunk) } };
  }
  const job = { workspaceId, email, chunks: chunksOfEmail(email) };
  if (chunk === null && job.chunks.length > 1) return await fanOutChunks(job);
  return await submitOrWait(job, chunk ?? 0, turn);
}

/** Gives each chunk of a large envelope its own message, so that each completes by itself. */
async function fanOutChunks(job: Job): Promise<Result> {
  const { workspaceId, email, chunks } = job;
  const { head } = email;
  if (head.status !== 'queued') return { state: 'waiting' };
  const sender = await findSenderOf(workspaceId, hostOf(head.from.address), head);
  const region = sender?.region ?? env().DEFAULT_REGION;
  await commitIfUnchanged(
    workspaceId,
    [changeHead(workspaceId, head.id, { status: 'sending' }, { status: 'queued' })],
    chunks.map((_, number) => intoLane(job, number, region)),
  );
  return { state: 'waiting' };
}

async function submitOrWait(job: Job, number: number, turn: Turn): Promise<Result> {
  const { workspaceId, email } = job;
  const { from } = email.head;
  const before = email.chunks.find((chunk) => chunk.number === number) ?? null;
  if (!isInSubmission(email.head) || (before && before.state !== 'claimed')) {
    // The email's completion, or a status from events that arrived meanwhile, may be missing.
    await completeFound(workspaceId, email);
    return completed;
  }
  if (before?.claimedAt === claimedByRestore) return { state: 'unconfirmed' };
  if (before && now() < before.claimedAt + unconfirmedWaitMs) {
    return again(job, number, 'waiting', before.claimedAt + unconfirmedWaitMs);
  }
  const envelope = job.chunks[number] ?? [];
  const [sender, { suspension }, known] = await Promise.all([
    findSenderOf(workspaceId, hostOf(from.address), email.head),
    findSendingGuard(workspaceId),
    // An email that goes into its lane comes again.
    turn === 'lane' ? null : splitChunk(workspaceId, email, envelope),
  ]);
  if (suspension) return again(job, number, 'waiting', now() + stateWait(email));
  const claimAndSubmitIn = async (slot: Slot | null) => {
    const split = known ?? (await splitChunk(workspaceId, email, envelope));
    return await claimAndSubmit(job, { number, before, split }, sender, slot);
  };
  // Without a verified domain the email fails without a call of SES, hence without a slot.
  if (!sender?.isVerified) return await claimAndSubmitIn(null);
  const identity = await identityStateOf(workspaceId, sender);
  if (identity === 'failed') return await claimAndSubmitIn(null);
  if (identity === 'pending') {
    // In a request the email is of no function that may ask; its queued message does.
    if (turn !== 'at once') await wantIdentity(workspaceId, sender);
    return again(job, number, 'waiting', now() + stateWait(email));
  }
  if (turn === 'lane') return { state: 'waiting', next: intoLane(job, number, sender.region) };
  const slot = turn === 'at once' ? await slotAtOnce(sender.region, envelope.length) : turn;
  return slot ? await claimAndSubmitIn(slot) : { state: 'delayed' };
}

/** The message that puts a chunk into the lane of its workspace and region. */
function intoLane({ workspaceId, email, chunks }: Job, number: number, region: string): OutboxMessage {
  const recipients = chunks[number]?.length ?? 0;
  return {
    message: releaseMailMessage(workspaceId, { emailId: email.head.id, chunk: number, region, recipients }),
  };
}

/** A slot for an email that overtakes nobody; null where others wait. */
async function slotAtOnce(region: string, recipients: number): Promise<Slot | null> {
  const [reserved] = await reserveNow(region, [recipients]);
  return reserved ? { region, ...reserved } : null;
}
