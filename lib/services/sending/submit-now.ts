/** `Prefer: wait`: the hand-off inside the request, and its outcome as the answer (contract, section 2; RFC 7240). */
import { now, pause } from '../../adapters/clock.ts';
import type { EmailHead } from '../../core/email.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { Problem } from '../../core/problems.ts';
import { findProgress } from '../../storage/emails.ts';
import type { AcceptedEmail } from './accept-email.ts';
import { submitEmail } from './submit-email.ts';

/** Between two looks at an email that others are working on. */
const lookEveryMs = 200;
/** What a client is told to wait where SES takes nothing now. */
const retryAfterSeconds = 15;

/**
 * Hands a new email off and answers it as it is then. Whatever happens, the email exists: a request that is tried again
 * wants its `Idempotency-Key`.
 *
 * @throws Problem send_failed (refused for good), rate_limited (SES throttles; it is tried again), provider_error
 *   (nobody knows; SES's report will tell)
 */
export async function submitNow(
  workspaceId: WorkspaceId,
  { email, replayed }: AcceptedEmail,
  seconds: number,
): Promise<EmailHead> {
  if (replayed || email.status !== 'queued') return email;
  const until = now() + seconds * 1000;
  const state = await submitEmail({ kind: 'send-mail', v: 1, workspaceId, emailId: email.id, chunk: null });
  if (state === 'later') {
    throw new Problem('rate_limited', `SES takes no mail now; the email ${email.id} stays queued.`, {
      headers: { 'Retry-After': String(retryAfterSeconds) },
    });
  }
  if (state === 'unknown') {
    throw new Problem(
      'provider_error',
      `SES did not answer for the email ${email.id}; its report will tell.`,
    );
  }
  for (;;) {
    const progress = await findProgress(workspaceId, email.id);
    const head = progress?.head ?? email;
    if (head.status === 'failed') {
      const reason = progress?.history.find(({ type }) => type === 'failed')?.detail;
      throw new Problem('send_failed', `SES refused the email ${email.id}: ${reason ?? 'no reason given'}`);
    }
    const isOpen = head.status === 'queued' || head.status === 'sending';
    if (!isOpen || now() >= until) return head;
    await pause(lookEveryMs);
  }
}
