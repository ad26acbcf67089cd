/**
 * Submission of an email to SES: claim, call, complete (docs/concepts/sending.md#never-twice).
 *
 * SES has no idempotency token. A chunk is claimed by a conditional write before the call and completed after it. A
 * worker that finds a claim without an outcome does not call SES: it waits for SES's own event of the chunk, and submits
 * again only when the wait ends without one.
 */
import { now, pause } from '../../adapters/clock.ts';
import { type DelayCause, type SubmissionOutcome, submitToSes } from '../../adapters/ses.ts';
import type { SenderDomain } from '../../core/domains/sender-domain.ts';
import { type FullEmail, isInSubmission } from '../../core/emails/email.ts';
import { claimedByRestore, type SubmissionChunk } from '../../core/emails/submission.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import type { OutboxMessage, SendMail } from '../../core/queue-messages.ts';
import { submissionTags } from '../../core/sending/provider-event.ts';
import { env } from '../../env.ts';
import { hostOf } from '../../mail/addresses/addresses.ts';
import { count, nameEmail } from '../../observability/count.ts';
import { findSenderOf } from '../../storage/domains/domain-claims.ts';
import { releaseChunk } from '../../storage/emails/chunks.ts';
import { changeHead } from '../../storage/emails/email-heads.ts';
import { findFullEmail } from '../../storage/emails/emails.ts';
import { findSendingGuard } from '../../storage/sending/sending-guards.ts';
import { commit, commitIfUnchanged } from '../../storage/table/transactions.ts';
import { identityStateOf, wantIdentity } from '../domains/identity-state.ts';
import { type ClaimRequest, claimSubmission, handedOff, splitChunk, takeBack } from './claim-submission.ts';
import { completeAccepted, completeFound, completeRefused } from './complete-submission.ts';
import { composeEmail } from './compose-email.ts';
import { currentSlot, holdRegion, patienceMs, type ReservedSlot, reserveNow } from './send-slots.ts';
import {
  chunksOfEmail,
  releaseMailMessage,
  sendMailMessage,
  submitMailboxMessage,
} from './submission-messages.ts';
import { refusalReason, reportOutcome } from './submission-outcomes.ts';
import { identityNameOf, tenantOf } from './tenant.ts';
import { whenDue } from './when-due.ts';

/** SES publishes an event of a message it accepted within seconds; without one in this time it has not accepted it. */
export const unconfirmedWaitMs = 5 * 60_000;
/** Wait after no connection to SES was made. */
const networkWaitMs = 15_000;
/** Wait for an identity that is being set up: a quarter of the time since the email was queued, within these bounds. */
const stateWaitMs = { min: 15_000, max: 10 * 60_000 };

/** An email in submission, its envelope in chunks. */
interface Job {
  readonly workspaceId: WorkspaceId;
  readonly email: FullEmail;
  readonly chunks: readonly string[][];
}

/** A slot of a region; `time` is Unix milliseconds. */
interface Slot extends ReservedSlot {
  readonly region: string;
}

/** How a submission gets a slot: it has one, it waits for one in its lane, or it takes one only if nobody waits. */
type Turn = Slot | 'lane' | 'at once';

/** The state of a submission after this run. */
export type SubmissionState =
  /** Completed, or there was nothing to do. */
  | 'completed'
  /** SES takes no mail now, or other mail is before it. */
  | 'delayed'
  /** SES may have accepted it; its event decides. */
  | 'unconfirmed'
  /** Another worker has the chunk, or it waits for a slot or an identity. */
  | 'waiting';

interface Result {
  readonly state: SubmissionState;
  /** The message that continues the submission, where no state changes with it. */
  readonly next?: OutboxMessage;
}

const completed: Result = { state: 'completed' };

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
  return await submitChunk(job, chunk ?? 0, turn);
}

/** Gives each chunk of a large envelope its own message, so that each completes by itself. */
async function fanOutChunks({ workspaceId, email: { head }, chunks }: Job): Promise<Result> {
  if (head.status !== 'queued') return { state: 'waiting' };
  const sender = await findSenderOf(workspaceId, hostOf(head.from.address), head);
  const region = sender?.region ?? env().DEFAULT_REGION;
  await commitIfUnchanged(
    workspaceId,
    [changeHead(workspaceId, head.id, { status: 'sending' }, { status: 'queued' })],
    chunks.map(({ length }, number) => ({
      message: releaseMailMessage(workspaceId, {
        emailId: head.id,
        chunk: number,
        region,
        recipients: length,
      }),
    })),
  );
  return { state: 'waiting' };
}

async function submitChunk(job: Job, number: number, turn: Turn): Promise<Result> {
  const { workspaceId, email } = job;
  const { id, from } = email.head;
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
  if (turn === 'lane') {
    const message = releaseMailMessage(workspaceId, {
      emailId: id,
      chunk: number,
      region: sender.region,
      recipients: envelope.length,
    });
    return { state: 'waiting', next: { message } };
  }
  const slot = turn === 'at once' ? await slotAtOnce(sender.region, envelope.length) : turn;
  return slot ? await claimAndSubmitIn(slot) : { state: 'delayed' };
}

/** A slot for an email that overtakes nobody; null where others wait. */
async function slotAtOnce(region: string, recipients: number): Promise<Slot | null> {
  const [reserved] = await reserveNow(region, [recipients]);
  return reserved ? { region, ...reserved } : null;
}

/** The result of a chunk that goes on later, with another slot. */
function again(job: Job, number: number, state: SubmissionState, dueAt: number): Result {
  return { state, next: { message: sendMailMessage(job.workspaceId, job.email.head.id, number), dueAt } };
}

/** How long to wait for an identity, or for a suspended workspace: the longer it lasts, the longer. */
function stateWait(email: FullEmail): number {
  const quarter = (now() - queuedAt(email)) / 4;
  return Math.min(stateWaitMs.max, Math.max(stateWaitMs.min, quarter));
}

/** When the email was due. */
function queuedAt({ head: { createdAt, scheduledAt } }: FullEmail): number {
  return Math.max(createdAt, scheduledAt ?? 0);
}

async function claimAndSubmit(
  job: Job,
  { number, before, split }: Pick<ClaimRequest, 'number' | 'before' | 'split'>,
  sender: SenderDomain | null,
  slot: Slot | null,
): Promise<Result> {
  const { workspaceId, email, chunks } = job;
  // Composed before the claim: as little as possible happens between claim and call.
  const [raw, tenant] = await Promise.all([
    composeEmail(workspaceId, email, split.allowed),
    slot && sender ? tenantOf(workspaceId, sender) : null,
  ]);
  const moved = slot && (await untilSlot(slot, split.allowed.length));
  if (moved) return inSlot(job, number, moved);
  const region = sender?.region ?? env().DEFAULT_REGION;
  const request = { number, of: chunks.length, region, before, split };
  const claim = await claimSubmission(workspaceId, email.head, request);
  // The other worker may end without an outcome.
  if (!claim) return again(job, number, 'waiting', now() + unconfirmedWaitMs);
  const claimed = { ...job, email: { ...email, head: handedOff(email.head) } };
  if (sender && slot && split.allowed.length > 0) {
    return await callSes(claimed, claim, raw, { slot, identity: identityNameOf(sender), tenant });
  }
  const refusal = { reason: refusalOf(sender, slot), isRefused: false };
  await completeRefused(workspaceId, claimed.email, claim, refusal);
  return completed;
}

/** Without a wait, a slot is taken as it was read this long ago. */
const slotKnownMs = 500;

/** Waits for a slot; the slot as it is now where the region was held meanwhile. */
async function untilSlot(slot: Slot, recipients: number): Promise<Slot | null> {
  const waitMs = slot.time - now();
  if (waitMs <= 0 && now() - slot.readAt < slotKnownMs) return null;
  await pause(Math.max(0, waitMs));
  const current = await currentSlot(slot.region, slot.at, recipients);
  return current.time > now() + patienceMs ? { region: slot.region, ...current } : null;
}

/** The result of a chunk that goes on in a slot. */
function inSlot(job: Job, number: number, slot: Slot): Result {
  return { state: 'waiting', next: slotMessage(job, number, slot) };
}

function slotMessage(
  { workspaceId, email, chunks }: Job,
  number: number,
  { region, at, time }: Slot,
): OutboxMessage {
  const recipients = chunks[number]?.length ?? 0;
  const message = sendMailMessage(workspaceId, email.head.id, number, { region, at, recipients });
  return { message, dueAt: time };
}

/** Why a claimed chunk is not submitted after all. */
function refusalOf(sender: SenderDomain | null, slot: Slot | null): string {
  if (slot) return 'every recipient is suppressed';
  return sender?.isVerified
    ? 'Amazon SES did not accept the sending domain; its findings give the reason'
    : 'the sending domain is no longer verified';
}

/** How a chunk is submitted. */
interface Route {
  readonly slot: Slot;
  readonly identity: string;
  /** SES tenant; null: none. */
  readonly tenant: string | null;
}

/** Calls SES for a claimed chunk. */
async function callSes(job: Job, claim: SubmissionChunk, raw: Uint8Array, route: Route): Promise<Result> {
  const { workspaceId, email } = job;
  const { id, from } = email.head;
  const outcome = await submitToSes({
    region: claim.region,
    tenant: route.tenant,
    from: from.address,
    recipients: claim.recipients,
    raw,
    tags: {
      [submissionTags.workspace]: workspaceId,
      [submissionTags.email]: id,
      [submissionTags.chunk]: String(claim.number),
    },
  });
  if (outcome.kind === 'accepted') {
    count('SubmissionsAccepted', null);
    const { number: chunk } = claim;
    nameEmail({ workspace_id: workspaceId, email_id: id, chunk, provider_id: outcome.providerId });
    await completeAccepted(workspaceId, email, claim, { providerId: outcome.providerId });
    return completed;
  }
  reportOutcome(workspaceId, id, claim, outcome);
  const failure = route.tenant === null ? 'other' : await tenantFailure(workspaceId, claim, route, outcome);
  if (failure !== 'other') {
    const waitMs = failure === 'paused' ? stateWait(email) : 0;
    await release(job, claim, {
      message: sendMailMessage(workspaceId, id, claim.number),
      dueAt: now() + waitMs,
    });
    return { state: 'waiting' };
  }
  switch (outcome.kind) {
    case 'refused':
      if (outcome.cause === 'sender' && (await isHeldForDomain(claim.region, hostOf(from.address)))) {
        const message = sendMailMessage(workspaceId, id, claim.number);
        await release(job, claim, { message, dueAt: now() + stateWaitMs.min });
        return { state: 'waiting' };
      }
      await completeRefused(workspaceId, email, claim, {
        reason: refusalReason(outcome, claim.region),
        isRefused: true,
      });
      return completed;
    case 'delayed':
      await release(job, claim, await retryMessage(job, claim, outcome.cause, route.slot));
      return { state: 'delayed' };
    case 'unconfirmed':
      return again(job, claim.number, 'unconfirmed', claim.claimedAt + unconfirmedWaitMs);
  }
}

async function tenantFailure(
  workspaceId: WorkspaceId,
  { region }: SubmissionChunk,
  { identity }: Route,
  outcome: SubmissionOutcome,
) {
  const { tenantFailureOf } = await import('./tenant-failures.ts');
  return await tenantFailureOf(workspaceId, { region, identity }, outcome);
}

/** Few submissions are refused, and the calls that manage identities add to a bundle. */
async function isHeldForDomain(region: string, host: string): Promise<boolean> {
  const { holdForProvidedDomain } = await import('../domains/provided-domain.ts');
  return await holdForProvidedDomain(region, host);
}

/** The message that calls SES again. All mail of the region waits, except where only the connection failed. */
async function retryMessage(
  job: Job,
  { number, region }: SubmissionChunk,
  cause: DelayCause,
  { at }: Slot,
): Promise<OutboxMessage> {
  if (cause === 'network') {
    const message = sendMailMessage(job.workspaceId, job.email.head.id, number);
    return { message, dueAt: now() + networkWaitMs };
  }
  return slotMessage(job, number, { region, ...(await holdRegion(region, at, cause)) });
}

/** Releases a claim: SES has certainly taken nothing. */
async function release(
  { workspaceId, email: { head } }: Job,
  claim: SubmissionChunk,
  retry: OutboxMessage,
): Promise<void> {
  // Whether an earlier attempt was accepted is not known.
  const back = claim.attempt === 1 ? takeBack(workspaceId, head, claim) : [];
  await commitIfUnchanged(workspaceId, [releaseChunk(workspaceId, head.id, claim), ...back], [retry]);
}
