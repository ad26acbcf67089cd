/** The retry index: webhook deliveries of all workspaces by the time of their retry, for the sweep that finds lost timers. */
import { createHash } from 'node:crypto';
import { type DeliveryId, type EndpointId, parseId, type WorkspaceId } from '../core/ids.ts';
import { retryBound, retryKey, retryShards } from './keys.ts';
import { query } from './table.ts';
import { present, type Write } from './transactions.ts';

/** A delivery that waits for a retry. */
export interface WaitingDelivery {
  readonly workspaceId: WorkspaceId;
  readonly endpointId: EndpointId;
  readonly deliveryId: DeliveryId;
  /** When the retry is due, or when the sweep looks at it again; Unix milliseconds. */
  readonly at: number;
}

const shardOf = (id: DeliveryId): number =>
  createHash('sha256').update(id).digest().readUInt32BE() % retryShards;

const keyOf = ({ workspaceId, endpointId, deliveryId, at }: WaitingDelivery) =>
  retryKey(shardOf(deliveryId), at, workspaceId, endpointId, deliveryId);

/** The write that adds a delivery to the index. */
export function addToRetryIndex(waiting: WaitingDelivery): Write {
  return { as: 'retry', put: { ...keyOf(waiting) } };
}

/** The write that removes it. A missing entry is no error. */
export function removeFromRetryIndex(waiting: WaitingDelivery): Write {
  return { as: 'retry', delete: keyOf(waiting) };
}

/** The writes that move an entry to another time. The condition fails where another sweep has moved it. */
export function moveInRetryIndex(waiting: WaitingDelivery, at: number): Write[] {
  return [{ ...removeFromRetryIndex(waiting), ...present }, addToRetryIndex({ ...waiting, at })];
}

/** Deliveries whose entries are before `atMs`, oldest first, up to `limit` of each shard. */
export async function listOverdueRetries(atMs: number, limit: number): Promise<WaitingDelivery[]> {
  const shards = Array.from({ length: retryShards }, (_, shard) => shard);
  const pages = await Promise.all(
    shards.map((shard) => {
      const { pk, sk } = retryBound(shard, atMs);
      return query({
        KeyConditionExpression: 'pk = :pk AND sk < :at',
        ExpressionAttributeValues: { ':pk': pk, ':at': sk },
        Limit: limit,
      });
    }),
  );
  return pages.flatMap(({ items }) =>
    items.flatMap(({ sk }) => {
      const [at = '', workspace = '', endpoint = '', delivery = ''] = sk.split('#');
      const workspaceId = parseId('wks', workspace);
      const endpointId = parseId('whk', endpoint);
      const deliveryId = parseId('dlv', delivery);
      return workspaceId && endpointId && deliveryId
        ? [{ workspaceId, endpointId, deliveryId, at: Number(at) }]
        : [];
    }),
  );
}
