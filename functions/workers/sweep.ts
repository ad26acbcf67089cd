/** Continues scheduled emails, held emails and mailboxes whose timer was lost; has old mail deleted. */
import { allDone } from '../../lib/core/work/all-done.ts';
import { sweepJobs } from '../../lib/services/jobs/sweep-jobs.ts';
import { requestExpiry } from '../../lib/services/retention/request-expiry.ts';
import { sweepOverdue } from '../../lib/services/sending/sweep-overdue.ts';

export async function handler(): Promise<void> {
  await allDone([sweepOverdue(), sweepJobs(), requestExpiry()]);
}
