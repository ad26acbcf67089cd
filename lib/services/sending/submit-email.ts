/**
 * Submission of an email to SES: claim, call, complete (docs/concepts/sending.md#never-twice).
 *
 * SES has no idempotency token. A chunk is claimed by a conditional write before the call and completed after it. A
 * worker that finds a claim without an outcome does not call SES: it waits for SES's own event of the chunk, and submits
 * again only when the wait ends without one.
 */
import { now } from '../../adapters/clock.ts';
import { type DelayCause, type SubmissionOutcome, submitToSes } from '../../adapters/ses.ts';
import type { SenderDomain } from '../../core/domains/sender-domain.ts';
import { type FullEmail, historyEntryId } from '../../core/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { hostOf } from '../../core/mail/addresses.ts';
import { chunksOf, envelopeOf } from '../../core/mail/envelope.ts';
import { submissionTags } from '../../core/mail/provider-event.ts';
import type { OutboxMessage, SendMail } from '../../core/queue-messages.ts';
import { isExpired, resumeAt } from '../../core/region-backoff.ts';
import type { SubmissionChunk } from '../../core/submission.ts';
import type { SuppressionTerms } from '../../core/suppression.ts';
import { env } from '../../env.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import { claimChunk, releaseChunk } from '../../storage/chunks.ts';
import { findSender } from '../../storage/domain-claims.ts';
import { changeHead, findFullEmail } from '../../storage/emails.ts';
import { addHistoryEntry } from '../../storage/history.ts';
import { isIdentityReady } from '../../storage/identities.ts';
import { extendRegionBackoff, findRegionBackoff, startRegionBackoff } from '../../storage/region-backoffs.ts';
import { removeFromScheduleIndex } from '../../storage/schedule-index.ts';
import { countBlocks } from '../../storage/suppressions.ts';
import { commit, commitIfUnchanged, type Write } from '../../storage/transactions.ts';
import { holdForProvidedDomain } from '../domains/provided-domain.ts';
import { type RecipientSplit, splitSuppressed } from '../suppressions/split-suppressed.ts';
import { completeAccepted, completeEmail, completeRefused } from './complete-submission.ts';
import { composeEmail } from './compose-email.ts';

/** SES publishes an event of a message it accepted within seconds; without one in this time it has not accepted it. */
export const unconfirmedWaitMs = 5 * 60_000;
/** Wait for an identity that is being set up. */
const identityWaitMs = 15_000;
/**
 * Wait after SES refused for now. Where SES refuses everything in the region, the region backs off: all its mail waits
 * in the order of queueing, and only the oldest email asks (`RegionBackoff`).
 */
const delays: Readonly<Record<DelayCause, { readonly ms: number; readonly isRegional: boolean }>> = {
  sending_rate: { ms: 15_000, isRegional: false },
  network: { ms: 15_000, isRegional: false },
  permissions: { ms: 60_000, isRegional: true },
  account: { ms: 5 * 60_000, isRegional: true },
  daily_quota: { ms: 10 * 60_000, isRegional: true },
};

/** An email in submission, its envelope in chunks. */
interface Job {
  readonly workspaceId: WorkspaceId;
  readonly email: FullEmail;
  readonly chunks: readonly string[][];
}

/** The state of a submission after this run. */
export type SubmissionState =
  /** Completed, or there was nothing to do. */
  | 'completed'
  /** SES refused for now; a retry is scheduled. */
  | 'delayed'
  /** SES may have accepted it; its event decides. */
  | 'unconfirmed'
  /** Another worker has the chunk, or it waits for an identity. */
  | 'waiting';

/** Processes a `send-mail` message. Idempotent. */
export async function submitEmail({ workspaceId, emailId, chunk }: SendMail): Promise<SubmissionState> {
  const found = await findFullEmail(workspaceId, emailId);
  const email = found && (await promoteScheduled(workspaceId, found));
  if (!email) return 'waiting';
  const job = { workspaceId, email, chunks: chunksOfEmail(email) };
  if (chunk === null && job.chunks.length > 1) return await fanOutChunks(job);
  return await submitChunk(job, chunk ?? 0);
}

/** Recipients suppressed at acceptance stay out for good, so that the chunks never change. */
function chunksOfEmail({ content, head }: FullEmail): string[][] {
  const suppressed = new Set(content.suppressed);
  const envelope = envelopeOf({ ...content, to: head.to }).filter((address) => !suppressed.has(address));
  return chunksOf(envelope, content.links?.unsubscribe ? 1 : limits.recipientsPerSubmission);
}

/** Queues a scheduled email whose time has come; null for one that is not due, whatever timer fired. */
async function promoteScheduled(workspaceId: WorkspaceId, email: FullEmail): Promise<FullEmail | null> {
  const { id, status, scheduledAt, revision } = email.head;
  if (status !== 'scheduled') return email;
  if (scheduledAt === null || scheduledAt > now()) return null;
  const isPromoted = await commitIfUnchanged(workspaceId, [
    changeHead(workspaceId, id, { status: 'queued' }, { revision }),
    removeFromScheduleIndex(workspaceId, id, scheduledAt),
  ]);
  return isPromoted ? { ...email, head: { ...email.head, status: 'queued' } } : null;
}

/** Gives each chunk of a large envelope its own message, so that each completes by itself. */
async function fanOutChunks({ workspaceId, email: { head }, chunks }: Job): Promise<SubmissionState> {
  if (head.status !== 'queued') return 'waiting';
  await commitIfUnchanged(
    workspaceId,
    [changeHead(workspaceId, head.id, { status: 'sending' }, { status: 'queued' })],
    chunks.map((_, number) => chunkMessage(workspaceId, head.id, number)),
  );
  return 'waiting';
}

function chunkMessage(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  chunk: number,
  dueAt?: number,
): OutboxMessage {
  const message: SendMail = { kind: 'send-mail', v: 1, workspaceId, emailId, chunk };
  return dueAt === undefined ? { message } : { message, dueAt };
}

async function submitChunk(job: Job, number: number): Promise<SubmissionState> {
  const { workspaceId, email } = job;
  const { id, status } = email.head;
  const isOpen = status === 'queued' || status === 'sending';
  const before = email.chunks.find((chunk) => chunk.number === number) ?? null;
  if (!isOpen || (before && before.state !== 'claimed')) {
    // The email's completion, or a status from events that arrived meanwhile, may be missing.
    await completeEmail(workspaceId, id);
    return 'completed';
  }
  if (before && now() < before.claimedAt + unconfirmedWaitMs) {
    await postpone(job, number, before.claimedAt + unconfirmedWaitMs);
    return 'waiting';
  }
  return await claimAndSubmit(job, number, before);
}

async function claimAndSubmit(
  job: Job,
  number: number,
  before: SubmissionChunk | null,
): Promise<SubmissionState> {
  const { workspaceId, email, chunks } = job;
  const { id, status, from } = email.head;
  // Suppressions that were added since the email was accepted count.
  const [sender, split] = await Promise.all([
    findSender(workspaceId, hostOf(from.address)),
    splitSuppressed(workspaceId, termsOf(email), chunks[number] ?? []),
  ]);
  const wait = sender?.isVerified ? await waitFor(job, sender) : null;
  if (wait) {
    await postpone(job, number, wait.until);
    return wait.state;
  }
  // Composed before the claim: as little as possible happens between claim and call.
  const raw = await composeEmail(workspaceId, email, split.allowed);
  const claim: SubmissionChunk = {
    number,
    of: chunks.length,
    recipients: split.allowed,
    state: 'claimed',
    attempt: (before?.attempt ?? 0) + 1,
    claimedAt: now(),
    region: sender?.region ?? env().DEFAULT_REGION,
    providerId: null,
    reason: null,
  };
  const isClaimed = await commitIfUnchanged(workspaceId, [
    claimChunk(workspaceId, id, claim, before),
    ...suppressedEntry(job, claim, split),
    ...(status === 'queued'
      ? [changeHead(workspaceId, id, { status: 'sending' }, { status: 'queued' })]
      : []),
  ]);
  if (!isClaimed) return 'waiting';
  await countBlocks(workspaceId, split.suppressions);
  const refusal = refusalOf(sender, split);
  if (!refusal) return await callSes(job, claim, raw);
  await completeRefused(workspaceId, email, claim, refusal);
  return 'completed';
}

/** Until when the email must wait; null where SES can be called now. */
async function waitFor(
  { email }: Job,
  sender: SenderDomain,
): Promise<{ readonly until: number; readonly state: SubmissionState } | null> {
  const [isReady, resume] = await Promise.all([
    isIdentityReady(sender),
    regionResumeAt(sender.region, queuedAt(email)),
  ]);
  if (resume !== null) return { until: resume, state: 'delayed' };
  return isReady ? null : { until: now() + identityWaitMs, state: 'waiting' };
}

/** When an email may go on in a region that backs off; null where it need not wait. */
async function regionResumeAt(region: string, queued: number): Promise<number | null> {
  const backoff = await findRegionBackoff(region);
  if (!backoff || isExpired(backoff, now())) return null;
  const resume = resumeAt(backoff, queued);
  if (resume <= now()) return null;
  await extendRegionBackoff(region, queued);
  return resume;
}

/** When the email was due. */
function queuedAt({ head: { createdAt, scheduledAt } }: FullEmail): number {
  return Math.max(createdAt, scheduledAt ?? 0);
}

/** Why a chunk is not submitted after all; null where it is. */
function refusalOf(sender: SenderDomain | null, { allowed }: RecipientSplit): string | null {
  if (!sender?.isVerified) return 'the sending domain is no longer verified';
  return allowed.length === 0 ? 'every recipient is suppressed' : null;
}

function termsOf({ head, content }: FullEmail): SuppressionTerms {
  const { spaceId, suppressionKey: key } = head;
  return { spaceId, key, isOptional: content.links?.unsubscribe ?? false };
}

/** The history entry of the recipients that the claim leaves out. */
function suppressedEntry(
  { workspaceId, email }: Job,
  { number, attempt }: SubmissionChunk,
  { suppressed }: RecipientSplit,
): Write[] {
  if (suppressed.length === 0) return [];
  const entry = { type: 'suppressed', at: now(), recipients: suppressed, detail: null } as const;
  const entryId = historyEntryId(entry.at, `suppressed ${number} ${attempt}`);
  return [addHistoryEntry(workspaceId, email.head.id, entryId, entry)];
}

async function postpone({ workspaceId, email }: Job, chunk: number, dueAt: number): Promise<void> {
  await commit(workspaceId, [], [chunkMessage(workspaceId, email.head.id, chunk, dueAt)]);
}

/** Calls SES for a claimed chunk. */
async function callSes(job: Job, claim: SubmissionChunk, raw: Uint8Array): Promise<SubmissionState> {
  const { workspaceId, email } = job;
  const { id, from } = email.head;
  const outcome = await submitToSes({
    region: claim.region,
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
    count('SubmissionsAccepted', workspaceId);
    await completeAccepted(workspaceId, email, claim, outcome.providerId);
    return 'completed';
  }
  count(signalOf(outcome).counter, workspaceId);
  logOutcome(id, claim, outcome);
  switch (outcome.kind) {
    case 'refused':
      if (outcome.cause === 'sender' && (await holdForProvidedDomain(claim.region, hostOf(from.address)))) {
        await release(job, claim, now() + identityWaitMs);
        return 'waiting';
      }
      await completeRefused(workspaceId, email, claim, refusalReason(outcome, claim.region));
      return 'completed';
    case 'delayed':
      await release(job, claim, await retryAt(job, claim, outcome.cause));
      return 'delayed';
    case 'unconfirmed':
      await postpone(job, claim.number, claim.claimedAt + unconfirmedWaitMs);
      return 'unconfirmed';
  }
}

/** When to call SES again; Unix milliseconds. */
async function retryAt({ email }: Job, { region }: SubmissionChunk, cause: DelayCause): Promise<number> {
  const { ms, isRegional } = delays[cause];
  const until = now() + ms;
  if (!isRegional) return until;
  const queued = queuedAt(email);
  return resumeAt(await startRegionBackoff(region, queued, until, now()), queued);
}

/** Releases a claim: SES has certainly taken nothing. */
async function release(
  { workspaceId, email: { head } }: Job,
  claim: SubmissionChunk,
  dueAt: number,
): Promise<void> {
  // A claim that stays for an unconfirmed attempt (`releaseChunk`) keeps the email in `sending`.
  const isQueuedAgain = claim.of === 1 && claim.attempt === 1;
  await commitIfUnchanged(
    workspaceId,
    [
      releaseChunk(workspaceId, head.id, claim),
      ...(isQueuedAgain
        ? [changeHead(workspaceId, head.id, { status: 'queued' }, { status: 'sending' })]
        : []),
    ],
    [chunkMessage(workspaceId, head.id, claim.number, dueAt)],
  );
}

/** SES's reason for a refusal, with the sandbox explained: SES's own words do not name it. */
function refusalReason(
  { cause, reason }: Extract<SubmissionOutcome, { kind: 'refused' }>,
  region: string,
): string {
  if (cause !== 'sandbox') return reason;
  return `${reason} (SES is in the sandbox in ${region} and accepts mail for verified addresses only)`;
}

/** Logs ids, the cause and SES's reason without the addresses it may name; never content. */
function logOutcome(
  emailId: EmailId,
  { number, region }: SubmissionChunk,
  outcome: Exclude<SubmissionOutcome, { kind: 'accepted' }>,
): void {
  logEvent(signalOf(outcome).event, {
    cause: outcome.kind === 'unconfirmed' ? 'no_answer' : outcome.cause,
    region,
    email_id: emailId,
    chunk: number,
    reason: outcome.reason.replace(/[^\s<>"',;:]+@/g, '…@'),
  });
}

/** The log event and the metric of a submission that SES did not accept. */
function signalOf(outcome: Exclude<SubmissionOutcome, { kind: 'accepted' }>) {
  if (outcome.kind === 'refused')
    return { event: 'submission.refused', counter: 'SubmissionsRefused' } as const;
  if (outcome.kind === 'unconfirmed')
    return { event: 'submission.unconfirmed', counter: 'SubmissionsUnconfirmed' } as const;
  if (outcome.cause === 'sending_rate')
    return { event: 'submission.throttled', counter: 'SubmissionsThrottled' } as const;
  if (outcome.cause === 'network')
    return { event: 'submission.not_connected', counter: 'SubmissionsNotConnected' } as const;
  return { event: 'submission.blocked', counter: 'SubmissionsBlocked' } as const;
}
