/**
 * Submission of an email through its mailbox: claim, call, complete, as to SES (docs/concepts/sending.md#mailboxes).
 *
 * A provider has no idempotency token either. A chunk is claimed by a conditional write before the call and completed
 * after it. A worker that finds a claim without an outcome looks for the message by our Message-ID first, and submits
 * again only where the provider does not have it.
 */
import { now } from '../../adapters/clock.ts';
import { providerMail } from '../../adapters/mailbox-providers/mail.ts';
import { random } from '../../adapters/random.ts';
import { type FullEmail, isInSubmission } from '../../core/email.ts';
import type { MailboxId, WorkspaceId } from '../../core/ids.ts';
import { messageIdOfChunk } from '../../core/mailboxes/own-message.ts';
import { ProviderError } from '../../core/mailboxes/provider.ts';
import { nextRetryAt } from '../../core/mailboxes/schedule.ts';
import type { OutboxMessage, SubmitMailboxEmail } from '../../core/queue-messages.ts';
import type { SubmissionChunk } from '../../core/submission.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import { holdChunk } from '../../storage/chunks.ts';
import { changeHead, findCommittedEmail } from '../../storage/emails.ts';
import { findConversation, linkProviderMessage } from '../../storage/provider-messages.ts';
import { findSendingGuard } from '../../storage/sending-guards.ts';
import { commit, commitIfUnchanged } from '../../storage/transactions.ts';
import { claimSubmission, splitChunk } from '../sending/claim-submission.ts';
import { completeAccepted, completeFound, completeRefused } from '../sending/complete-submission.ts';
import { composeForMailbox } from '../sending/compose-email.ts';
import { chunksOfEmail, submitMailboxMessage } from '../sending/submission-messages.ts';
import { whenDue } from '../sending/when-due.ts';
import { withAccessToken } from './access-token.ts';

/** A message that was sent is found in the mailbox within seconds; without one in this time it was not sent. */
export const unconfirmedWaitMs = 5 * 60_000;
/** The clocks of the provider and ours differ. */
const clockMarginMs = 60_000;
/** Another look at an email that cannot be submitted now: a suspended workspace, an outcome that nobody may look up. */
const waitMs = 10 * 60_000;
/** An outcome that cannot be looked up for so long fails: the mailbox was not connected again. */
const lookUpMs = 3 * 86_400_000;

interface Job {
  readonly workspaceId: WorkspaceId;
  readonly email: FullEmail;
  readonly mailboxId: MailboxId;
  readonly number: number;
  readonly recipients: readonly string[];
  readonly of: number;
}

/** The provider's ids of a message. */
interface SentIds {
  readonly id: string | null;
  readonly threadId: string | null;
}

/** Processes a `submit-mailbox-email` message. Idempotent. */
export async function submitMailboxEmail(message: SubmitMailboxEmail): Promise<void> {
  const next = await submit(message);
  if (next) await commit(message.workspaceId, [], [next]);
}

/** @returns the message that continues the submission, where no state changes with it */
async function submit({ workspaceId, emailId, chunk }: SubmitMailboxEmail): Promise<OutboxMessage | null> {
  const found = await findCommittedEmail(workspaceId, emailId);
  const email = found && (await whenDue(workspaceId, found));
  const mailboxId = email?.head.mailboxId;
  if (!email || !mailboxId) return null;
  const chunks = chunksOfEmail(email);
  if (chunk === null && chunks.length > 1) {
    await fanOut(workspaceId, email, chunks.length);
    return null;
  }
  const number = chunk ?? 0;
  const recipients = chunks[number] ?? [];
  return await submitChunk({ workspaceId, email, mailboxId, number, recipients, of: chunks.length });
}

/** Gives each message of optional mail, which has one recipient, a queue message of its own. */
async function fanOut(workspaceId: WorkspaceId, { head }: FullEmail, chunks: number): Promise<void> {
  if (head.status !== 'queued') return;
  await commitIfUnchanged(
    workspaceId,
    [changeHead(workspaceId, head.id, { status: 'sending' }, { status: 'queued' })],
    Array.from({ length: chunks }, (_, number) => ({
      message: submitMailboxMessage(workspaceId, head.id, number),
    })),
  );
}

async function submitChunk(job: Job): Promise<OutboxMessage | null> {
  const { workspaceId, email, number } = job;
  const before = email.chunks.find((chunk) => chunk.number === number) ?? null;
  if (!isInSubmission(email.head) || (before && before.state !== 'claimed')) {
    // The email's completion may be missing.
    await completeFound(workspaceId, email);
    return null;
  }
  if (before && now() < before.claimedAt + unconfirmedWaitMs) {
    return again(job, before.claimedAt + unconfirmedWaitMs);
  }
  const { suspension } = await findSendingGuard(workspaceId);
  if (suspension) return again(job, now() + waitMs);
  if (before) {
    const looked = await lookUp(job, before);
    if (looked !== 'not sent') return looked;
  }
  return await claimAndSubmit(job, before);
}

function again({ workspaceId, email, number }: Job, dueAt: number): OutboxMessage {
  return { message: submitMailboxMessage(workspaceId, email.head.id, number), dueAt };
}

/** Looks for a message whose outcome is not known, and completes its chunk where the provider has it. */
async function lookUp(job: Job, before: SubmissionChunk): Promise<OutboxMessage | null | 'not sent'> {
  const { workspaceId, email, mailboxId, number } = job;
  const messageId = messageIdOfChunk(email.head.messageId, number);
  try {
    const sent = await withAccessToken(workspaceId, mailboxId, async ({ accessToken, mailbox }) =>
      (await providerMail(mailbox.provider)).findSent(
        accessToken,
        messageId,
        before.claimedAt - clockMarginMs,
      ),
    );
    if (!sent) return 'not sent';
    await accept(job, before, sent);
    return null;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const lastTryAt = Math.max(before.claimedAt, email.head.createdAt, email.head.scheduledAt ?? 0);
    if (now() > lastTryAt + lookUpMs) {
      const reason = 'it is not known whether the provider has sent it, and the mailbox could not be asked';
      await completeRefused(workspaceId, email, before, reason, false);
      return null;
    }
    return again(job, Math.max(now() + waitMs, nextRetryAt(now(), 1, error.retryAfterMs, random())));
  }
}

async function claimAndSubmit(job: Job, before: SubmissionChunk | null): Promise<OutboxMessage | null> {
  const { workspaceId, email, mailboxId, number, of } = job;
  const { head } = email;
  const split = await splitChunk(workspaceId, email, job.recipients);
  const messageId = messageIdOfChunk(head.messageId, number);
  // Composed before the claim: as little as possible happens between claim and call.
  const [raw, conversation] = await Promise.all([
    composeForMailbox(workspaceId, email, split.allowed, messageId),
    findConversation(workspaceId, mailboxId, head.threadId),
  ]);
  const claim = await claimSubmission(workspaceId, head, { number, of, region: mailboxId, before, split });
  // The other worker may end without an outcome.
  if (!claim) return again(job, now() + unconfirmedWaitMs);
  if (split.allowed.length === 0) {
    await completeRefused(workspaceId, email, claim, 'every recipient is suppressed', false);
    return null;
  }
  return await callProvider(job, claim, Buffer.from(raw), conversation);
}

/** Sends a claimed chunk. */
async function callProvider(
  job: Job,
  claim: SubmissionChunk,
  raw: Buffer,
  conversation: string | null,
): Promise<OutboxMessage | null> {
  const { workspaceId, mailboxId } = job;
  /** Until the provider is called, every failure is one of the token. */
  let isCalled = false;
  try {
    const sent = await withAccessToken(workspaceId, mailboxId, async ({ accessToken, mailbox }) => {
      const mail = await providerMail(mailbox.provider);
      isCalled = true;
      return await mail.send(accessToken, raw, conversation).catch(async (error: unknown) => {
        // The conversation was deleted in the mailbox: nothing was sent.
        if (conversation === null || !(error instanceof ProviderError) || error.kind !== 'not_found')
          throw error;
        return await mail.send(accessToken, raw, null);
      });
    });
    count('SubmissionsAccepted', workspaceId);
    await accept(job, claim, sent);
    return null;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return await endWithFailure(job, claim, error, isCalled);
  }
}

async function accept({ workspaceId, email, mailboxId, number }: Job, claim: SubmissionChunk, sent: SentIds) {
  const { id, threadId, messageId } = email.head;
  const wire = messageIdOfChunk(messageId, number);
  await completeAccepted(workspaceId, email, claim, sent.id ?? wire, wire);
  if (sent.id === null || sent.threadId === null) return;
  const ref = { mailboxId, messageId: sent.id, conversationId: sent.threadId };
  await commitIfUnchanged(workspaceId, linkProviderMessage(workspaceId, { emailId: id, threadId }, ref));
}

async function endWithFailure(
  job: Job,
  claim: SubmissionChunk,
  error: ProviderError,
  isCalled: boolean,
): Promise<OutboxMessage | null> {
  const { workspaceId, email, mailboxId } = job;
  logEvent('submission.mailbox_failed', {
    workspace_id: workspaceId,
    mailbox_id: mailboxId,
    email_id: email.head.id,
    cause: error.kind,
    reason: error.message,
  });
  switch (error.kind) {
    case 'unauthorized':
    case 'refused':
    case 'not_found':
      count('SubmissionsRefused', workspaceId);
      await completeRefused(workspaceId, email, claim, error.message, isCalled);
      return null;
    case 'unknown':
      if (!isCalled) return await hold(job, claim, error);
      count('SubmissionsUnconfirmed', workspaceId);
      await commitIfUnchanged(workspaceId, [
        holdChunk(workspaceId, email.head.id, claim, { reason: error.message, claimedAt: claim.claimedAt }),
      ]);
      return again(job, claim.claimedAt + unconfirmedWaitMs);
    case 'throttled':
    case 'expired':
    case 'network':
      return await hold(job, claim, error);
  }
}

/** Puts an email back whose message has certainly not been sent; the next attempt need not wait for an outcome. */
async function hold(job: Job, claim: SubmissionChunk, error: ProviderError): Promise<null> {
  const { workspaceId, email } = job;
  count(error.kind === 'throttled' ? 'SubmissionsThrottled' : 'SubmissionsNotConnected', workspaceId);
  const dueAt = nextRetryAt(now(), claim.attempt, error.retryAfterMs, random());
  await commitIfUnchanged(
    workspaceId,
    [holdChunk(workspaceId, email.head.id, claim, { reason: error.message, claimedAt: 0 })],
    [again(job, dueAt)],
  );
  return null;
}
