/** Finds scheduled emails whose timer was lost. */
import { now } from '../../adapters/clock.ts';
import { sendToQueue } from '../../adapters/queues.ts';
import { listOverdue } from '../../storage/schedule-index.ts';

/** An email this late has lost its timer. */
const overdueMs = 2 * 60_000;
/** Per shard and run: the next run, a minute later, takes the rest. */
const sweptAtOnce = 100;

/** Hands overdue emails to `send-mail`. Their notes stay until they are taken up, so a lost message is found again. */
export async function sweepOverdue(): Promise<void> {
  const overdue = await listOverdue(now() - overdueMs, sweptAtOnce);
  await Promise.all(
    overdue.map(({ workspaceId, emailId }) =>
      sendToQueue({ kind: 'send-mail', v: 1, workspaceId, emailId, chunk: null }, emailId),
    ),
  );
}
