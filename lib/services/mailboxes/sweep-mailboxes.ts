/** The sweep of mailboxes: synchronizes where a timer or its message was lost. */

import { now } from '../../adapters/clock.ts';
import { sendToQueue } from '../../adapters/queues.ts';
import { allDone } from '../../core/all-done.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import { findMailboxSync } from '../../storage/mailbox-syncs.ts';
import { type MailboxWake, mailboxWakes } from '../../storage/wake-index.ts';
import { syncMailboxMessage } from './sync-messages.ts';

/** A timer fires within a minute of its time, and its message may wait for others. */
const overdueMs = 5 * 60_000;
/** Mailboxes per shard and run; the next run follows in a minute. */
const sweptAtOnce = 50;

/** Synchronizes the mailboxes whose timer is overdue. A repetition changes nothing. */
export async function sweepMailboxes(): Promise<void> {
  const overdue = await mailboxWakes.listOverdue(now() - overdueMs, sweptAtOnce);
  await allDone(overdue.map(resume));
}

async function resume(entry: MailboxWake): Promise<void> {
  const { workspaceId, mailboxId, at } = entry;
  const sync = await findMailboxSync(workspaceId, mailboxId);
  // Another wakeAt: the timer fired, and what it left is this entry. A worker that holds the lease may be about to store it.
  if (sync?.wakeAt !== at) {
    if (!sync?.lease || sync.lease.until <= now()) await mailboxWakes.remove(entry);
    return;
  }
  await sendToQueue(syncMailboxMessage(workspaceId, mailboxId, at), '');
  count('MailboxesResumed', workspaceId);
  logEvent('mailbox.resumed', { workspace_id: workspaceId, mailbox_id: mailboxId });
}
