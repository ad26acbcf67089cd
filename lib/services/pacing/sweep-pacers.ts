/** The sweep of pacers: calls a pacer where a timer or its message was lost. */

import { now } from '../../adapters/clock.ts';
import { sendToQueue } from '../../adapters/queues.ts';
import { allDone } from '../../core/all-done.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import { findPacer } from '../../storage/pacer-states.ts';
import { type PacerWake, pacerWakes } from '../../storage/wake-index.ts';
import { paceMailMessage } from './pace-mail-message.ts';

/** A timer fires within a minute of its time. */
const overdueMs = 2 * 60_000;
/** Workspaces per shard and run; the next run follows in a minute. */
const sweptAtOnce = 25;

/** Calls the pacers whose timer is overdue. A repetition changes nothing. */
export async function sweepPacers(): Promise<void> {
  const overdue = await pacerWakes.listOverdue(now() - overdueMs, sweptAtOnce);
  await allDone(overdue.map(resume));
}

async function resume(entry: PacerWake): Promise<void> {
  const { workspaceId, at } = entry;
  const { wakeAt } = await findPacer(workspaceId);
  // Another wakeAt: the timer fired, and what it left is this entry.
  if (wakeAt !== at) return await pacerWakes.remove(entry);
  await sendToQueue(paceMailMessage(workspaceId), '');
  count('PacersResumed', workspaceId);
  logEvent('pacing.pacer_resumed', { workspace_id: workspaceId });
}
