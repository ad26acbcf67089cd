/** The schedule index: scheduled emails of all workspaces by time, for the sweep that finds lost timers. Ids only, in shards. */
import { createHash } from 'node:crypto';
import { type EmailId, parseId, type WorkspaceId } from '../core/ids.ts';
import { scheduleBound, scheduleKey, scheduleShards } from './keys.ts';
import { query } from './table.ts';
import type { Write } from './transactions.ts';

const shardOf = (id: EmailId): number =>
  createHash('sha256').update(id).digest().readUInt32BE() % scheduleShards;

/** The write that adds an email to the index. */
export function addToScheduleIndex(workspaceId: WorkspaceId, id: EmailId, scheduledAt: number): Write {
  return { as: 'schedule', put: { ...scheduleKey(shardOf(id), scheduledAt, workspaceId, id) } };
}

/** The write that removes it: the email was promoted, rescheduled or canceled. */
export function removeFromScheduleIndex(workspaceId: WorkspaceId, id: EmailId, scheduledAt: number): Write {
  return { as: 'schedule', delete: scheduleKey(shardOf(id), scheduledAt, workspaceId, id) };
}

/** Emails scheduled before `atMs`, oldest first, up to `limit` of each shard. */
export async function listOverdue(
  atMs: number,
  limit: number,
): Promise<{ readonly workspaceId: WorkspaceId; readonly emailId: EmailId }[]> {
  const shards = Array.from({ length: scheduleShards }, (_, shard) => shard);
  const pages = await Promise.all(
    shards.map((shard) => {
      const { pk, sk } = scheduleBound(shard, atMs);
      return query({
        KeyConditionExpression: 'pk = :pk AND sk < :at',
        ExpressionAttributeValues: { ':pk': pk, ':at': sk },
        Limit: limit,
      });
    }),
  );
  return pages.flatMap(({ items }) =>
    items.flatMap(({ sk }) => {
      const [, workspace = '', email = ''] = sk.split('#');
      const workspaceId = parseId('wks', workspace);
      const emailId = parseId('eml', email);
      return workspaceId && emailId ? [{ workspaceId, emailId }] : [];
    }),
  );
}
