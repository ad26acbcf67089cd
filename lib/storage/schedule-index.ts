/**
 * Scheduled emails by their hour, across workspaces: a timer that was lost is found here. Ids only, spread over shards.
 */
import { createHash } from 'node:crypto';
import { type EmailId, parseId, type WorkspaceId } from '../core/ids.ts';
import { scheduleKey, scheduleShard, scheduleShards } from './keys.ts';
import { query, type Write } from './table.ts';

const shardOf = (id: EmailId): number =>
  createHash('sha256').update(id).digest().readUInt32BE() % scheduleShards;

/** The write that notes an email's hour. */
export function addToScheduleIndex(workspaceId: WorkspaceId, id: EmailId, dueAt: number): Write {
  return { as: 'due', put: { ...scheduleKey(shardOf(id), dueAt, workspaceId, id) } };
}

/** The write that forgets it: the email was taken up, moved or canceled. */
export function removeFromScheduleIndex(workspaceId: WorkspaceId, id: EmailId, dueAt: number): Write {
  return { as: 'due', delete: scheduleKey(shardOf(id), dueAt, workspaceId, id) };
}

/** Emails whose hour was before `atMs`, up to `limit` of each shard, the oldest first. */
export async function listOverdue(
  atMs: number,
  limit: number,
): Promise<{ workspaceId: WorkspaceId; emailId: EmailId }[]> {
  const shards = Array.from({ length: scheduleShards }, (_, shard) => shard);
  const pages = await Promise.all(
    shards.map((shard) =>
      query({
        KeyConditionExpression: 'pk = :pk AND sk < :at',
        ExpressionAttributeValues: { ':pk': scheduleShard(shard), ':at': String(atMs).padStart(15, '0') },
        Limit: limit,
      }),
    ),
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
