/** Submissions of a mailbox that wait: one that its provider did not take, and those behind it. Times are Unix milliseconds. */
import type { EmailHead } from '../emails/email.ts';
import type { EmailId } from '../ids.ts';
import { heldPosition } from '../pacing/held.ts';

/** Sorts submissions of a mailbox in the order in which their emails were queued. */
export type SubmissionPosition = string;

export interface WaitingSubmission {
  readonly position: SubmissionPosition;
  readonly emailId: EmailId;
  /** Number of the chunk. */
  readonly chunk: number;
  /** When it began to wait. */
  readonly since: number;
  /** When its own message comes, before which it is not tried; 0: it waits for those before it. */
  readonly dueAt: number;
}

/** What has waited for so long fails. With the last try it is a day. */
export const waitMsMax = 23 * 3_600_000;

export function submissionPosition(
  head: Pick<EmailHead, 'id' | 'createdAt' | 'scheduledAt'>,
  chunk: number,
): SubmissionPosition {
  return `${heldPosition(head)}#${String(chunk).padStart(4, '0')}`;
}
