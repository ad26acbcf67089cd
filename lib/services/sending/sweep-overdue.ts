/** The sweep: finds scheduled emails whose timer was lost. */

import { now } from '../../adapters/clock.ts';
import { sendToQueue } from '../../adapters/queues.ts';
import { allDone } from '../../core/work/all-done.ts';
import { listOverdue } from '../../storage/emails/schedule-index.ts';
import { sendMailMessage } from './submission-messages.ts';

/** A timer fires within a minute of its time; an email this late has lost it. */
const overdueMs = 2 * 60_000;
/** Emails per shard and run; the next run follows in a minute. */
const sweptAtOnce = 100;

/** Sends overdue emails to `send-mail`. An index entry stays until its email is promoted, so a lost message is found again. */
export async function sweepOverdue(): Promise<void> {
  const overdue = await listOverdue(now() - overdueMs, sweptAtOnce);
  await allDone(
    overdue.map(({ workspaceId, emailId }) =>
      sendToQueue(sendMailMessage(workspaceId, emailId, null), emailId),
    ),
  );
}
