/** The schedule index: scheduled emails of all workspaces by time, for the sweep that finds lost timers. Ids only, in shards. */
import { type EmailId, parseId, type WorkspaceId } from '../../core/ids.ts';
import { type Key, scheduleBound, scheduleKey, scheduleShards } from '../table/keys.ts';
import { listBefore, shardOf } from '../table/time-index.ts';
import type { Write } from '../table/transactions.ts';

/** The key of an email's entry. For stores only. */
export function scheduleIndexKey(workspaceId: WorkspaceId, id: EmailId, scheduledAt: number): Key {
  return scheduleKey(shardOf(id, scheduleShards), scheduledAt, workspaceId, id);
}

/** The write that adds an email to the index. */
export function addToScheduleIndex(workspaceId: WorkspaceId, id: EmailId, scheduledAt: number): Write {
  return { as: 'schedule', put: { ...scheduleIndexKey(workspaceId, id, scheduledAt) } };
}

/** The write that removes it: the email was promoted, rescheduled or canceled. */
export function removeFromScheduleIndex(workspaceId: WorkspaceId, id: EmailId, scheduledAt: number): Write {
  return { as: 'schedule', delete: scheduleIndexKey(workspaceId, id, scheduledAt) };
}

/** Emails scheduled before `atMs`, oldest first, up to `limit` of each shard. */
export async function listOverdue(
  atMs: number,
  limit: number,
): Promise<{ readonly workspaceId: WorkspaceId; readonly emailId: EmailId }[]> {
  const found = await listBefore(scheduleShards, scheduleBound, atMs, limit);
  return found.flatMap(({ sk }) => {
    const [, workspace = '', email = ''] = sk.split('#');
    const workspaceId = parseId('wks', workspace);
    const emailId = parseId('eml', email);
    return workspaceId && emailId ? [{ workspaceId, emailId }] : [];
  });
}
