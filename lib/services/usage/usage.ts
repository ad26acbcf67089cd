/** Counts a day of what a workspace sends and receives (docs/concepts/usage.md). */
import { now } from '../../adapters/clock.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { PublishEvent } from '../../core/queue-messages.ts';
import { type DayUsage, lastDays, noUsage, sumUsage } from '../../core/workspaces/usage.ts';
import { describeError, logEvent } from '../../observability/log.ts';
import { addUsage, listUsage } from '../../storage/workspaces/usage.ts';

/** Counts events, each of them once by the caller's care. A failure is logged: counts are worth less than events. */
export async function countUsage(events: readonly PublishEvent[]): Promise<void> {
  await Promise.all(
    sumUsage(events).map(async ({ workspaceId, day, counts }) => {
      try {
        await addUsage(workspaceId, day, counts);
      } catch (error) {
        logEvent('usage.not_counted', { workspace_id: workspaceId, day, error: describeError(error) });
      }
    }),
  );
}

/** The last `days` days, the oldest first, with zeros for those without events. */
export async function getUsage(workspaceId: WorkspaceId, days: number): Promise<readonly DayUsage[]> {
  const stored = new Map((await listUsage(workspaceId, days)).map((usage) => [usage.day, usage]));
  return lastDays(days, now()).map((day) => stored.get(day) ?? { ...noUsage, day });
}
