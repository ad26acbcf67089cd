/** Indexes by time over all workspaces, in shards: a partition takes 1,000 writes a second. Their sort keys begin with the time. */
import { createHash } from 'node:crypto';
import type { Key } from './keys.ts';
import { type Item, query } from './table.ts';

/** The shard of an id, the same always. */
export function shardOf(id: string, shards: number): number {
  return createHash('sha256').update(id).digest().readUInt32BE() % shards;
}

/**
 * The entries before `atMs`, oldest first within each shard.
 *
 * @param bound the key of a shard that sorts after everything before a time
 * @param limit of each shard
 */
export async function listBefore(
  shards: number,
  bound: (shard: number, atMs: number) => Key,
  atMs: number,
  limit: number,
): Promise<Item[]> {
  const pages = await Promise.all(
    Array.from({ length: shards }, (_, shard) => {
      const { pk, sk } = bound(shard, atMs);
      return query({
        KeyConditionExpression: 'pk = :pk AND sk < :at',
        ExpressionAttributeValues: { ':pk': pk, ':at': sk },
        Limit: limit,
      });
    }),
  );
  return pages.flatMap(({ items }) => items);
}
