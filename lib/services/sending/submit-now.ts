/** `Prefer: wait` (RFC 7240, 4.3): submission within the request, its outcome as the response. */
import { now, pause } from '../../adapters/clock.ts';
import type { EmailHead } from '../../core/email.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { Problem } from '../../core/problems.ts';
import { findProgress } from '../../storage/emails.ts';
import type { AcceptedEmail } from './accept-email.ts';
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
  { email, replayed, pacing }: AcceptedEmail,
  seconds: number,
): Promise<EmailHead> {
  // An email that pacing holds leaves in its turn.
  if (replayed || email.status !== 'queued' || pacing) return email;
  const until = now() + seconds * 1000;
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
  for (;;) {
    const progress = await findProgress(workspaceId, email.id);
    const head = progress?.head ?? email;
    if (head.status === 'failed') {
      const reason = progress?.history.find(({ type }) => type === 'failed')?.detail;
      throw new Problem('send_failed', `SES refused email ${email.id}: ${reason ?? 'no reason given'}`);
    }
    const isOpen = head.status === 'queued' || head.status === 'sending';
    if (!isOpen || now() >= until) return head;
    await pause(pollMs);
  }
}
