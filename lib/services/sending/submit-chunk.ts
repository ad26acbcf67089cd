/**
 * Submission of a chunk to SES: claim, call, complete (docs/concepts/sending.md#never-twice).
 *
 * SES has no idempotency token. A chunk is claimed by a conditional write before the call and completed after it. A
 * worker that finds a claim without an outcome does not come here: `submit-email.ts` waits for SES's own event of the
 * chunk, and submits again only when the wait ends without one.
 */
import { now, pause } from '../../adapters/clock.ts';
import { type DelayCause, type SubmissionOutcome, submitToSes } from '../../adapters/ses.ts';
import type { SenderDomain } from '../../core/domains/sender-domain.ts';
import type { FullEmail } from '../../core/emails/email.ts';
import type { SubmissionChunk } from '../../core/emails/submission.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import { submissionTags } from '../../core/sending/provider-event.ts';
import { env } from '../../env.ts';
import { hostOf } from '../../mail/addresses/addresses.ts';
import { count, nameEmail } from '../../observability/count.ts';
import { releaseChunk } from '../../storage/emails/chunks.ts';
import { commitIfUnchanged } from '../../storage/table/transactions.ts';
import { type ClaimRequest, claimSubmission, handedOff, takeBack } from './claim-submission.ts';
import { completeAccepted, completeRefused } from './complete-submission.ts';
import { composeEmail } from './compose-email.ts';
import { currentSlot, holdRegion, patienceMs, type ReservedSlot } from './send-slots.ts';
import { sendMailMessage } from './submission-messages.ts';
import { refusalReason, reportOutcome } from './submission-outcomes.ts';
import { identityNameOf, tenantOf } from './tenant.ts';

/** SES publishes an event of a message it accepted within seconds; without one in this time it has not accepted it. */
export const unconfirmedWaitMs = 5 * 60_000;
/** Wait after no connection to SES was made. */
const networkWaitMs = 15_000;
/** Wait for an identity that is being set up: a quarter of the time since the email was queued, within these bounds. */
const stateWaitMs = { min: 15_000, max: 10 * 60_000 };

/** An email in submission, its envelope in chunks. */
export interface Job {
  readonly workspaceId: WorkspaceId;
  readonly email: FullEmail;
  readonly chunks: readonly string[][];
}

/** A slot of a region; `time` is Unix milliseconds. */
export interface Slot extends ReservedSlot {
  readonly region: string;
}

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

export interface Result {
  readonly state: SubmissionState;
  /** The message that continues the submission, where no state changes with it. */
  readonly next?: OutboxMessage;
}

export const completed: Result = { state: 'completed' };

/**
 * Waits for the slot of a chunk, claims the chunk, and calls SES. It fails without a call when every recipient is
 * suppressed, or when no domain that may send is behind its sender any more: `sender` and `slot` are null. `before` is
 * null, or a claim whose wait has ended.
 */
export async function claimAndSubmit(
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
  if (moved) return { state: 'waiting', next: slotMessage(job, number, moved) };
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

/** The message that goes on with a chunk in a slot. */
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
    await release(job, claim, withoutSlot(job, claim.number, now() + waitMs));
    return { state: 'waiting' };
  }
  switch (outcome.kind) {
    case 'refused':
      if (outcome.cause === 'sender' && (await isHeldForDomain(claim.region, hostOf(from.address)))) {
        await release(job, claim, withoutSlot(job, claim.number, now() + stateWaitMs.min));
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
  if (cause === 'network') return withoutSlot(job, number, now() + networkWaitMs);
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

/** The result of a chunk that goes on later, with another slot. */
export function again(job: Job, number: number, state: SubmissionState, dueAt: number): Result {
  return { state, next: withoutSlot(job, number, dueAt) };
}

/** The message that goes on with a chunk at `dueAt`, Unix milliseconds; it gets another slot then. */
function withoutSlot({ workspaceId, email }: Job, number: number, dueAt: number): OutboxMessage {
  return { message: sendMailMessage(workspaceId, email.head.id, number), dueAt };
}

/** How long to wait for an identity, or for a suspended workspace: the longer it lasts, the longer. */
export function stateWait(email: FullEmail): number {
  const quarter = (now() - queuedAt(email)) / 4;
  return Math.min(stateWaitMs.max, Math.max(stateWaitMs.min, quarter));
}

/** When the email was due. */
function queuedAt({ head: { createdAt, scheduledAt } }: FullEmail): number {
  return Math.max(createdAt, scheduledAt ?? 0);
}
