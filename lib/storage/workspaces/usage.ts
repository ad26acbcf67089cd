/** Numbers of events of a workspace, one item for each day (docs/concepts/usage.md). They expire by TTL. */
import type { WorkspaceId } from '../../core/ids.ts';
import { type DayUsage, type UsageCounts, usageExpiry } from '../../core/workspaces/usage.ts';
import { codec, number, secondsAsMs, sortKey, text, withDefault } from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import { usageDay, usageDays } from '../table/keys.ts';
import { listPage } from '../table/paging.ts';
import { update } from '../table/table.ts';

const count = withDefault(number, 0);
const usageCodec = codec<DayUsage>('usage of a day', {
  day: sortKey(text),
  sent: count,
  delivered: count,
  bounced: count,
  complained: count,
  failed: count,
  received: count,
});

/** Adds to the counts of a day. */
export async function addUsage(
  workspaceId: WorkspaceId,
  day: string,
  counts: Partial<UsageCounts>,
): Promise<void> {
  const expiresAt = secondsAsMs.write(usageExpiry(day));
  await update(usageDay(workspaceId, day), expressionsOf({ increment: counts, setOnce: { expiresAt } }));
}

/** The newest days on which there were events, `days` at most. */
export async function listUsage(workspaceId: WorkspaceId, days: number): Promise<readonly DayUsage[]> {
  const list = { pk: usageDays(workspaceId), order: 'newest first', limit: days, after: null } as const;
  return (await listPage(list)).items.map(usageCodec.decode);
}
