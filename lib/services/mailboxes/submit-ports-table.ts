/** The submission of one message of a mailbox on the table, the queues and its provider. */
import { now } from '../../adapters/clock.ts';
import { random } from '../../adapters/random.ts';
import type { FullEmail } from '../../core/emails/email.ts';
import type { SubmissionChunk } from '../../core/emails/submission.ts';
import type { MailboxId, WorkspaceId } from '../../core/ids.ts';
import { messageIdOfChunk } from '../../core/mailboxes/own-message.ts';
import { ProviderError } from '../../core/mailboxes/provider.ts';
import {
  submissionPosition,
  type WaitingSubmission,
  waitMsMax,
} from '../../core/mailboxes/waiting-submission.ts';
import { count, nameEmail } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import { holdChunk } from '../../storage/emails/chunks.ts';
import { findMailbox } from '../../storage/mailboxes/mailboxes.ts';
import { findConversation, linkProviderMessage } from '../../storage/mailboxes/provider-messages.ts';
import * as waiting from '../../storage/mailboxes/waiting-submissions.ts';
import { findSendingGuard } from '../../storage/sending/sending-guards.ts';
import { commit, commitIfUnchanged } from '../../storage/table/transactions.ts';
import { claimSubmission, handedOff, splitChunk, takeBack } from '../sending/claim-submission.ts';
import { completeAccepted, completeFound, completeRefused } from '../sending/complete-submission.ts';
import { composeForMailbox } from '../sending/compose-email.ts';
import { submitMailboxMessage } from '../sending/submission-messages.ts';
import { logClaim } from '../sending/submission-outcomes.ts';
import { withAccessToken } from './access-token.ts';
import type { TurnPorts } from './submission-turn.ts';
import type { CallResult, SentIds, SubmitPorts } from './submit-chunk.ts';

/** The clocks of the provider and ours differ. */
const clockMarginMs = 60_000;

/** A message of an email. */
export interface MailboxJob {
  readonly workspaceId: WorkspaceId;
  readonly email: FullEmail;
  readonly mailboxId: MailboxId;
  /** Number of its chunk, of so many. */
  readonly number: number;
  readonly of: number;
  readonly recipients: readonly string[];
}

/** A composed message, and the conversation that it continues; null: a new one. */
interface Composed {
  readonly raw: Buffer;
  readonly conversation: string | null;
}

export function submitPorts(job: MailboxJob): SubmitPorts {
  const { workspaceId, mailboxId, number, of } = job;
  /** Changes with the claim. */
  let { email } = job;
  const { head } = email;
  const messageId = messageIdOfChunk(head.messageId, number);
  let composed: Composed | null = null;
  return {
    ...turnPorts(job),
    random,
    isSuspended: async () => (await findSendingGuard(workspaceId)).suspension !== null,
    async findSent(claim) {
      try {
        const found = await withAccessToken(workspaceId, mailboxId, ({ mail, accessToken }) =>
          mail.findSent(accessToken, messageId, claim.claimedAt - clockMarginMs),
        );
        if (found) logClaim('submission.completed_by_report', workspaceId, head.id, claim);
        return { found };
      } catch (failure) {
        if (failure instanceof ProviderError) return { failure };
        throw failure;
      }
    },
    async claim(before) {
      const split = await splitChunk(workspaceId, email, job.recipients);
      // Composed before the claim: as little as possible happens between claim and call.
      const [raw, conversation] = await Promise.all([
        composeForMailbox(workspaceId, email, split.allowed, messageId),
        findConversation(workspaceId, mailboxId, head.threadId),
      ]);
      composed = { raw: Buffer.from(raw), conversation };
      const request = { number, of, region: mailboxId, before, split };
      const claim = await claimSubmission(workspaceId, email.head, request);
      if (claim) email = { ...email, head: handedOff(email.head) };
      return claim;
    },
    async send() {
      if (!composed) throw new Error('the message is not claimed');
      return await send(job, composed);
    },
    accept: (claim, sent) => accept({ ...job, email }, claim, sent),
    async refuse(claim, reason, isRefused) {
      if (isRefused) count('SubmissionsRefused', workspaceId);
      await completeRefused(workspaceId, email, claim, { reason, isRefused });
    },
    async noteUnconfirmed(claim, { message: reason }) {
      count('SubmissionsUnconfirmed', workspaceId);
      const held = { reason, claimedAt: claim.claimedAt };
      await commitIfUnchanged(workspaceId, [holdChunk(workspaceId, head.id, claim, held)]);
    },
    async hold(claim, { kind, message: reason }, entry) {
      count(kind === 'throttled' ? 'SubmissionsThrottled' : 'SubmissionsNotConnected', workspaceId);
      return await commitIfUnchanged(
        workspaceId,
        [
          holdChunk(workspaceId, head.id, claim, { reason, claimedAt: 0 }),
          ...takeBack(workspaceId, email.head, claim),
          waiting.putWaiting(workspaceId, mailboxId, entry),
        ],
        [{ message: submitMailboxMessage(workspaceId, head.id, number), dueAt: entry.dueAt }],
      );
    },
    complete: () => completeFound(workspaceId, email),
  };
}

function turnPorts({ workspaceId, email, mailboxId, number }: MailboxJob): TurnPorts {
  const { id: emailId } = email.head;
  const position = submissionPosition(email.head, number);
  const messageOf = (of: Pick<WaitingSubmission, 'emailId' | 'chunk'>) =>
    submitMailboxMessage(workspaceId, of.emailId, of.chunk);
  return {
    own: { position, emailId, chunk: number },
    now,
    findFirst: () => waiting.findFirstWaiting(workspaceId, mailboxId),
    findOwn: () => waiting.findWaiting(workspaceId, mailboxId, position),
    join: (own, before) =>
      commitIfUnchanged(
        workspaceId,
        [waiting.putWaiting(workspaceId, mailboxId, own), waiting.stillWaits(workspaceId, mailboxId, before)],
        [{ message: messageOf(own), dueAt: own.since + waitMsMax }],
      ),
    remove: (at) => waiting.removeWaiting(workspaceId, mailboxId, at),
    // Through the outbox, from where each message begins anew: a long line is no chain of invocations.
    call: (next) => commit(workspaceId, [], [{ message: messageOf(next) }]),
    isConnected: async () => (await findMailbox(workspaceId, mailboxId))?.state === 'active',
  };
}

async function send(
  { workspaceId, email, mailboxId, number }: MailboxJob,
  { raw, conversation }: Composed,
): Promise<CallResult> {
  /** Until the provider is called, every failure is one of the token. */
  let isCalled = false;
  try {
    const sent = await withAccessToken(workspaceId, mailboxId, async ({ accessToken, mail }) => {
      isCalled = true;
      return await mail.send(accessToken, raw, conversation).catch(async (error: unknown) => {
        // The conversation was deleted in the mailbox: nothing was sent.
        if (conversation === null || !(error instanceof ProviderError) || error.kind !== 'not_found')
          throw error;
        return await mail.send(accessToken, raw, null);
      });
    });
    count('SubmissionsAccepted', null);
    nameEmail({ workspace_id: workspaceId, email_id: email.head.id, chunk: number });
    return { sent };
  } catch (failure) {
    if (!(failure instanceof ProviderError)) throw failure;
    logEvent('submission.mailbox_failed', {
      workspace_id: workspaceId,
      mailbox_id: mailboxId,
      email_id: email.head.id,
      cause: failure.kind,
      reason: failure.message,
    });
    return { failure, isCalled };
  }
}

async function accept(
  { workspaceId, email, mailboxId, number }: MailboxJob,
  claim: SubmissionChunk,
  sent: SentIds,
): Promise<void> {
  const { id, threadId, messageId } = email.head;
  const wire = messageIdOfChunk(messageId, number);
  await completeAccepted(workspaceId, email, claim, { providerId: sent.id ?? wire, messageId: wire });
  if (sent.id === null || sent.threadId === null) return;
  const ref = { mailboxId, messageId: sent.id, conversationId: sent.threadId };
  await commitIfUnchanged(workspaceId, linkProviderMessage(workspaceId, { emailId: id, threadId }, ref));
}
