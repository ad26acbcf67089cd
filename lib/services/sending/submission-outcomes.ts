/** What an operator and a client learn of a submission that SES did not accept, or did not answer. */
import type { SubmissionOutcome } from '../../adapters/ses.ts';
import type { SubmissionChunk } from '../../core/emails/submission.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';

/** SES's reason for a refusal, with the sandbox explained: SES's own words do not name it. */
export function refusalReason(
  { cause, reason }: Extract<SubmissionOutcome, { kind: 'refused' }>,
  region: string,
): string {
  if (cause !== 'sandbox') return reason;
  return `${reason} (SES is in the sandbox in ${region} and accepts mail for verified addresses only)`;
}

/** Counts and logs an outcome: ids, the cause and SES's reason without the addresses it may name; never content. */
export function reportOutcome(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  { number, region }: SubmissionChunk,
  outcome: Exclude<SubmissionOutcome, { kind: 'accepted' }>,
): void {
  const { event, counter } = signalOf(outcome);
  count(counter, workspaceId);
  logEvent(event, {
    cause: outcome.kind === 'unconfirmed' ? 'no_answer' : outcome.cause,
    region,
    email_id: emailId,
    chunk: number,
    reason: outcome.reason.replace(/[^\s<>"',;:]+@/g, '…@'),
  });
}

/**
 * Logs that a claim had no outcome: it is made again, or was completed by what the provider reports.
 *
 * @param claim as it is now
 */
export function logClaim(
  event: 'submission.repeated' | 'submission.completed_by_report',
  workspaceId: WorkspaceId,
  emailId: EmailId,
  { number, region, attempt }: SubmissionChunk,
): void {
  logEvent(event, { workspace_id: workspaceId, email_id: emailId, chunk: number, region, attempt });
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
