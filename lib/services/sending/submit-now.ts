/** `Prefer: wait` (RFC 7240, 4.3): submission within the request, its outcome as the response. */
import { now, pause } from '../../adapters/clock.ts';
import { type EmailHead, type EmailProgress, isInSubmission } from '../../core/emails/email.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { Problem } from '../../core/problems.ts';
import { findProgress } from '../../storage/emails/emails.ts';
import { submitInRequest } from './submit-email.ts';

/** Poll interval while another worker submits the email. */
const pollMs = 200;
/** `Retry-After` where SES refuses for now. */
const retryAfterSeconds = 15;

/**
 * Submits a new email and returns it with the outcome. The email exists in any case, so a client that retries needs an
 * `Idempotency-Key`.
 *
 * @param seconds how long to wait for an outcome
 * @throws Problem send_failed (SES refused it for good), rate_limited (SES throttles; a retry is scheduled),
 *   provider_error (no answer; SES's event decides)
 */
export async function submitNow(
  workspaceId: WorkspaceId,
  email: EmailHead,
  seconds: number,
): Promise<EmailHead> {
  const until = now() + seconds * 1000;
  // The worker of mailboxes has been called: only it may read their tokens.
  if (email.mailboxId !== null) return await outcomeOf(workspaceId, email, until);
  const state = await submitInRequest(workspaceId, email.id);
  if (state === 'delayed') {
    throw new Problem('rate_limited', `SES accepts no mail now; email ${email.id} stays queued.`, {
      headers: { 'Retry-After': String(retryAfterSeconds) },
    });
  }
  if (state === 'unconfirmed') {
    throw new Problem(
      'provider_error',
      `SES did not answer; its event will decide the status of email ${email.id}.`,
    );
  }
  return await outcomeOf(workspaceId, email, until);
}

/** Waits for the outcome of an email that another worker submits. */
async function outcomeOf(workspaceId: WorkspaceId, email: EmailHead, until: number): Promise<EmailHead> {
  for (;;) {
    const progress = await findProgress(workspaceId, email.id);
    const head = progress?.head ?? email;
    throwIfHeld(email, progress);
    if (head.status === 'failed') {
      const reason = progress?.history.find(({ type }) => type === 'failed')?.detail;
      const provider = email.mailboxId === null ? 'SES' : 'The provider of the mailbox';
      throw new Problem(
        'send_failed',
        `${provider} refused email ${email.id}: ${reason ?? 'no reason given'}`,
      );
    }
    if (!isInSubmission(head) || now() >= until) return head;
    await pause(pollMs);
  }
}

/** What the provider of a mailbox answered where the email is tried again. @throws Problem rate_limited, provider_error */
function throwIfHeld({ id, mailboxId }: EmailHead, progress: EmailProgress | null): void {
  const held = progress?.chunks.find(({ state, reason }) => state === 'claimed' && reason !== null);
  if (mailboxId === null || !held) return;
  // A claim that need not wait for an outcome was put back.
  if (held.claimedAt === 0) {
    throw new Problem(
      'rate_limited',
      `The provider of the mailbox takes no mail now; email ${id} stays queued.`,
      {
        headers: { 'Retry-After': String(retryAfterSeconds) },
      },
    );
  }
  throw new Problem(
    'provider_error',
    `The provider of the mailbox did not answer; email ${id} is looked for in the mailbox before it is sent again.`,
  );
}
