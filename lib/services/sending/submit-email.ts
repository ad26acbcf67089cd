/**
 * The hand-off of an email to SES: claim, call, settle.
 *
 * SES has no idempotency token, so nothing may be handed over twice: a chunk is claimed by a conditional write before
 * the call and settled after it. Whoever finds a claim that is not settled does not send. It waits for SES's own
 * report of the chunk, and sends again only when the wait has shown that there is none.
 */
import { now } from '../../adapters/clock.ts';
import { type DelayCause, type SubmissionOutcome, submitToSes } from '../../adapters/ses.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { hostOf } from '../../core/mail/addresses.ts';
import { chunksOf, envelopeOf } from '../../core/mail/envelope.ts';
import { submissionTags } from '../../core/mail/provider-event.ts';
import type { OutboxMessage, SendMail } from '../../core/queue-messages.ts';
import { isExpired, resumeAt } from '../../core/region-backoff.ts';
import type { SuppressionTerms } from '../../core/suppression.ts';
import { env } from '../../env.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import { type Chunk, claimChunk, releaseChunk } from '../../storage/chunks.ts';
import { findSender, type VerifiedSender } from '../../storage/domains.ts';
import { addHistoryEntry, changeHead, type FullEmail, findFullEmail } from '../../storage/emails.ts';
import { isIdentityReady } from '../../storage/identities.ts';
import { enqueue } from '../../storage/outbox.ts';
import { extendRegionBackoff, findRegionBackoff, startRegionBackoff } from '../../storage/region-backoffs.ts';
import { removeFromScheduleIndex } from '../../storage/schedule-index.ts';
import { countBlocks } from '../../storage/suppressions.ts';
import { ifUnchanged, transact, type Write } from '../../storage/table.ts';
import { type RecipientSplit, splitSuppressed } from '../suppressions/split-suppressed.ts';
import { completeAccepted, completeEmail, completeRefused } from './complete-submission.ts';
import { composeEmail } from './compose-email.ts';

/** SES reports a message it took within seconds; after this long without a report, it did not take it. */
export const unconfirmedWaitMs = 5 * 60_000;
/** Pause while an identity is being set up. */
const identityMs = 15_000;
/**
 * Pause after SES said "not now". It is the mail's own where a next one may well be taken, and else one for the region:
 * all mail waits then in the order it was queued in, and only the oldest asks (see `Hold`).
 */
const pauses: Readonly<Record<DelayCause, { readonly ms: number; readonly holdsRegion: boolean }>> = {
  sending_rate: { ms: 15_000, holdsRegion: false },
  network: { ms: 15_000, holdsRegion: false },
  permissions: { ms: 60_000, holdsRegion: true },
  account: { ms: 5 * 60_000, holdsRegion: true },
  daily_quota: { ms: 10 * 60_000, holdsRegion: true },
};

/** An email on its way out, with its envelope in the groups that SES takes. */
interface Job {
  readonly workspaceId: WorkspaceId;
  readonly email: FullEmail;
  readonly envelope: readonly string[][];
}

/** Where a hand-off stands when its function is done: the email says the rest. */
export type SubmissionState =
  /** Settled, or there was nothing to do. */
  | 'settled'
  /** SES takes nothing now; it is tried again. */
  | 'later'
  /** SES may have taken it; its report will tell. */
  | 'unknown'
  /** Others are at it, or it waits for something of ours. */
  | 'waiting';

/** Does what a `send-mail` message asks for. Safe to repeat at any point. */
export async function submitEmail({ workspaceId, emailId, chunk }: SendMail): Promise<SubmissionState> {
  const found = await findFullEmail(workspaceId, emailId);
  const email = found && (await promoteScheduled(workspaceId, found));
  if (!email) return 'waiting';
  const job = { workspaceId, email, envelope: chunksOfEmail(email) };
  if (chunk === null && job.envelope.length > 1) return await fanOutChunks(job);
  return await submitChunk(job, chunk ?? 0);
}

/** Who was left out when the email was sent never comes back in, so that the chunks are always the same. */
function chunksOfEmail({ content, head }: FullEmail): string[][] {
  const leftOut = new Set(content.suppressed);
  const envelope = envelopeOf({ ...content, to: head.to }).filter((address) => !leftOut.has(address));
  return chunksOf(envelope, content.links?.unsubscribe ? 1 : limits.recipientsPerSubmission);
}

/** A scheduled email whose hour has come is queued; one that has time is left alone, whatever timer fired. */
async function promoteScheduled(workspaceId: WorkspaceId, email: FullEmail): Promise<FullEmail | null> {
  const { id, status, scheduledAt, revision } = email.head;
  if (status !== 'scheduled') return email;
  if (scheduledAt === null || scheduledAt > now()) return null;
  const isMine = await ifUnchanged([
    changeHead(workspaceId, id, { status: 'queued' }, { revision }),
    removeFromScheduleIndex(workspaceId, id, scheduledAt),
  ]);
  return isMine ? { ...email, head: { ...email.head, status: 'queued' } } : null;
}

/** Gives each chunk of a large envelope a message of its own, so that each is settled by itself. */
async function fanOutChunks({ workspaceId, email: { head }, envelope }: Job): Promise<SubmissionState> {
  if (head.status !== 'queued') return 'waiting';
  const messages = envelope.map((_, chunk) => sendChunk(workspaceId, head.id, chunk));
  await ifUnchanged([
    changeHead(workspaceId, head.id, { status: 'sending' }, { status: 'queued' }),
    ...enqueue(workspaceId, messages),
  ]);
  return 'waiting';
}

function sendChunk(workspaceId: WorkspaceId, emailId: EmailId, chunk: number, dueAt?: number): OutboxMessage {
  const message: SendMail = { kind: 'send-mail', v: 1, workspaceId, emailId, chunk };
  return dueAt === undefined ? { message } : { message, dueAt };
}

async function submitChunk(job: Job, number: number): Promise<SubmissionState> {
  const { workspaceId, email, envelope } = job;
  const { id, status, from } = email.head;
  const isOpen = status === 'queued' || status === 'sending';
  const before = email.chunks.find((claim) => claim.number === number) ?? null;
  // Settled: all that may be missing is the end of the email, or what reports said meanwhile.
  if (!isOpen || (before && before.state !== 'claimed')) {
    await completeEmail(workspaceId, id);
    return 'settled';
  }
  if (before && now() < before.claimedAt + unconfirmedWaitMs) {
    await postpone(job, number, before.claimedAt + unconfirmedWaitMs);
    return 'waiting';
  }
  // Asked anew: what was suppressed since the email was accepted counts.
  const [sender, reach] = await Promise.all([
    findSender(workspaceId, hostOf(from.address)),
    splitSuppressed(workspaceId, termsOf(email), envelope[number] ?? []),
  ]);
  if (sender?.isVerified) {
    const [isReady, turn] = await Promise.all([isIdentityReady(sender), waitForTurn(job, sender.region)]);
    if (turn !== null) {
      await postpone(job, number, turn);
      return 'later';
    }
    if (!isReady) {
      await postpone(job, number, now() + identityMs);
      return 'waiting';
    }
  }
  // Composed before the claim, so that as little as possible happens between claim and call.
  const raw = await composeEmail(workspaceId, email, reach.allowed);
  const claim: Chunk = {
    number,
    of: envelope.length,
    recipients: reach.allowed,
    state: 'claimed',
    attempt: (before?.attempt ?? 0) + 1,
    claimedAt: now(),
    region: sender?.region ?? env().DEFAULT_REGION,
    providerId: null,
    reason: null,
  };
  const isMine = await ifUnchanged([
    claimChunk(workspaceId, id, claim, before),
    ...suppressedWrites(job, claim, reach),
    ...(status === 'queued'
      ? [changeHead(workspaceId, id, { status: 'sending' }, { status: 'queued' })]
      : []),
  ]);
  if (!isMine) return 'waiting';
  await countBlocks(workspaceId, reach.suppressions);
  const refusal = refusalOf(sender, reach);
  if (!refusal) return await call(job, claim, raw);
  await completeRefused(workspaceId, email, claim, refusal);
  return 'settled';
}

/** When it is the turn of an email where the region is held; null where it need not wait. */
async function waitForTurn({ email }: Job, region: string): Promise<number | null> {
  const hold = await findRegionBackoff(region);
  if (!hold || isExpired(hold, now())) return null;
  const turn = resumeAt(hold, queuedAt(email));
  if (turn <= now()) return null;
  await extendRegionBackoff(region, queuedAt(email));
  return turn;
}

/** Since when the email is due. */
function queuedAt({ head: { createdAt, scheduledAt } }: FullEmail): number {
  return Math.max(createdAt, scheduledAt ?? 0);
}

/** Why a chunk is not handed over after all; null where it is. */
function refusalOf(sender: VerifiedSender | null, { allowed }: RecipientSplit): string | null {
  if (!sender?.isVerified) return 'the sending domain is not verified any more';
  return allowed.length === 0 ? 'every recipient is suppressed' : null;
}

function termsOf({ head, content }: FullEmail): SuppressionTerms {
  const { spaceId, suppressionKey: key } = head;
  return { spaceId, key, isOptional: content.links?.unsubscribe ?? false };
}

/** Who is left out of the claim is told in the history, with the claim. */
function suppressedWrites(
  { workspaceId, email }: Job,
  claim: Chunk,
  { suppressed }: RecipientSplit,
): Write[] {
  if (suppressed.length === 0) return [];
  const entry = { type: 'suppressed', at: now(), recipients: suppressed, detail: null } as const;
  return [addHistoryEntry(workspaceId, email.head.id, entry, `suppressed ${claim.number} ${claim.attempt}`)];
}

async function postpone(job: Job, chunk: number, dueAt: number): Promise<void> {
  await transact(enqueue(job.workspaceId, [sendChunk(job.workspaceId, job.email.head.id, chunk, dueAt)]));
}

/** The call to SES, with the claim in hand. */
async function call(job: Job, claim: Chunk, raw: Uint8Array): Promise<SubmissionState> {
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
    return 'settled';
  }
  count(signalOf(outcome).counter, workspaceId);
  log(id, claim, outcome);
  switch (outcome.kind) {
    case 'refused':
      await completeRefused(workspaceId, email, claim, reasonTold(outcome, claim.region));
      return 'settled';
    case 'later':
      await release(job, claim, await nextTry(job, claim, outcome.cause));
      return 'later';
    case 'unknown':
      await postpone(job, claim.number, claim.claimedAt + unconfirmedWaitMs);
      return 'unknown';
  }
}

/** When to ask SES again; Unix milliseconds. */
async function nextTry({ email }: Job, { region }: Chunk, cause: DelayCause): Promise<number> {
  const { ms, holdsRegion } = pauses[cause];
  const until = now() + ms;
  if (!holdsRegion) return until;
  return resumeAt(await startRegionBackoff(region, queuedAt(email), until, now()), queuedAt(email));
}

/** Gives the claim back: SES took nothing, so the next try is as good as this one. */
async function release({ workspaceId, email: { head } }: Job, claim: Chunk, dueAt: number): Promise<void> {
  // With a claim that stays for an earlier try (see `releaseChunk`), the email stays `sending`.
  const isQueuedAgain = claim.of === 1 && claim.attempt === 1;
  await ifUnchanged([
    releaseChunk(workspaceId, head.id, claim),
    ...(isQueuedAgain ? [changeHead(workspaceId, head.id, { status: 'queued' }, { status: 'sending' })] : []),
    ...enqueue(workspaceId, [sendChunk(workspaceId, head.id, claim.number, dueAt)]),
  ]);
}

/** What a refusal is to its sender: SES's words, and what they mean where they do not say it. */
function reasonTold(
  { cause, reason }: Extract<SubmissionOutcome, { kind: 'refused' }>,
  region: string,
): string {
  if (cause !== 'sandbox') return reason;
  return `${reason} (SES is in the sandbox in ${region} and takes mail for verified addresses only)`;
}

/**
 * Which hand-off went how: ids, the cause by which the runbook says what to do, and SES's words; never content. SES names
 * addresses in some refusals; logs do not.
 */
function log(
  emailId: EmailId,
  { number, region }: Chunk,
  outcome: Exclude<SubmissionOutcome, { kind: 'accepted' }>,
): void {
  logEvent(signalOf(outcome).event, {
    cause: outcome.kind === 'unknown' ? 'no_answer' : outcome.cause,
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
  if (outcome.kind === 'unknown')
    return { event: 'submission.unconfirmed', counter: 'SubmissionsUnconfirmed' } as const;
  if (outcome.cause === 'sending_rate')
    return { event: 'submission.throttled', counter: 'SubmissionsThrottled' } as const;
  if (outcome.cause === 'network')
    return { event: 'submission.not_connected', counter: 'SubmissionsNotConnected' } as const;
  return { event: 'submission.blocked', counter: 'SubmissionsBlocked' } as const;
}
