/** Counts a day of what a workspace sends and receives (docs/concepts/usage.md). */
import { now } from '../../adapters/clock.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { PublishEvent } from '../../core/queue-messages.ts';
import { each } from '../../core/work/all-done.ts';
import { once } from '../../core/work/once.ts';
import { type DayUsage, lastDays, noUsage, sumUsage } from '../../core/workspaces/usage.ts';
import { describeError, logEvent } from '../../observability/log.ts';
import { readOutboxRecord } from '../../storage/table/outbox.ts';
import { addUsage, listUsage } from '../../storage/workspaces/usage.ts';
import { findWorkspaceById } from '../../storage/workspaces/workspaces.ts';

/** A new item that carries messages, in the table's stream. */
export interface CarrierRecord {
  /** Its `NewImage`. */
  readonly image: object | undefined;
  readonly sequenceNumber: string;
}

/** Writes at the same time. */
const writesAtOnce = 10;

/**
 * Counts the events whose messages new items carry: one write for each workspace and day. Each of them has one try, since a
 * repetition might count twice, and counts are worth less than their time: what fails is logged.
 */
export async function countUsage(records: readonly CarrierRecord[]): Promise<void> {
  const find = once(findWorkspaceById);
  await each(sumUsage(records.flatMap(eventsOf)), writesAtOnce, async ({ workspaceId, day, counts }) => {
    try {
      const workspace = await find(workspaceId);
      // Its counts are removed a quarter of an hour later at the earliest (`writersEndMs`), when this function has ended.
      if (!workspace || workspace.erasedAt !== null) return;
      await addUsage(workspaceId, day, counts);
    } catch (error) {
      logEvent('usage.not_counted', { workspace_id: workspaceId, day, error: describeError(error) });
    }
  });
}

/** The events that an item announces. One that is read is counted in the day in which it happened, also where it is due later. */
function eventsOf({ image, sequenceNumber }: CarrierRecord): PublishEvent[] {
  try {
    const { messages } = readOutboxRecord(image ?? {});
    return messages.flatMap(({ message }) => (message.kind === 'publish-event' ? message : []));
  } catch (error) {
    logEvent('usage.record_skipped', { sequence_number: sequenceNumber, error: describeError(error) });
    return [];
  }
}

/** The last `days` days, the oldest first, with zeros for those without events. */
export async function getUsage(workspaceId: WorkspaceId, days: number): Promise<readonly DayUsage[]> {
  const stored = new Map((await listUsage(workspaceId, days)).map((usage) => [usage.day, usage]));
  return lastDays(days, now()).map((day) => stored.get(day) ?? { ...noUsage, day });
}
