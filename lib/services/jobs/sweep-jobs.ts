/** The sweep of jobs: calls a worker where a timer or its message was lost. */
import { now } from '../../adapters/clock.ts';
import { sendToQueue } from '../../adapters/queues.ts';
import { allDone } from '../../core/work/all-done.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import { isAwaited, listOverdueTimers, type OverdueTimer, removeTimer } from '../../storage/table/jobs.ts';

/** A timer fires within a minute of its time. Where its message waits for others, the second one does nothing. */
const overdueMs = 2 * 60_000;
/** Timers per shard and run; the next run follows in a minute. */
const sweptAtOnce = 50;

/** Calls the workers whose timer is overdue. A repetition changes nothing. */
export async function sweepJobs(): Promise<void> {
  await allDone((await listOverdueTimers(now() - overdueMs, sweptAtOnce)).map(resume));
}

async function resume(timer: OverdueTimer): Promise<void> {
  const { workspaceId, message } = timer;
  // The item of the job was removed with its workspace, space or mailbox.
  if (!(await isAwaited(timer))) return await removeTimer(timer);
  await sendToQueue(message, '');
  count('JobsResumed', workspaceId);
  logEvent('job.resumed', { workspace_id: workspaceId, kind: message.kind });
}
