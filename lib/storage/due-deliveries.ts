/** Due entries: the deliveries of an endpoint that wait for a worker, new ones by age, others by the time of their next attempt. */
import { type DeliveryId, type EndpointId, parseId, type WorkspaceId } from '../core/ids.ts';
import { type Delivery, deadlineOf } from '../core/webhooks/delivery.ts';
import { codec, number, secondsAsMs } from './codec.ts';
import { dueDeliveries, type Key, newDueKey, newDuePrefix, retryDueKey, retryDuePrefix } from './keys.ts';
import { type Item, put, putMany, query, removeAll } from './table.ts';

/** An entry. Entries of one delivery differ in `key`. */
export interface DueEntry {
  readonly key: Key;
  readonly deliveryId: DeliveryId;
  /** When the delivery is due; 0: since it was created. Unix milliseconds. */
  readonly dueAt: number;
  /** The deadline of the delivery. */
  readonly deadlineAt: number;
}

/** TTL removes what a deleted endpoint has left. */
const keptMs = 24 * 3_600_000;

const entryCodec = codec<{ readonly deadlineAt: number; readonly expiresAt: number }>('due entry', {
  deadlineAt: number,
  expiresAt: secondsAsMs,
});

/** Whether an entry is the one that a pending delivery has. */
export function isEntryOf(entry: DueEntry, workspaceId: WorkspaceId, delivery: Delivery): boolean {
  return entry.key.sk === dueKeyOf(workspaceId, delivery).sk;
}

/** The key of the entry of a pending delivery, if it has one. For the stores of deliveries only. */
export function dueKeyOf(workspaceId: WorkspaceId, delivery: Delivery): Key {
  const { endpointId, id, attemptDue, replay, nextAttemptAt } = delivery;
  return attemptDue === 1 && replay === 0
    ? newDueKey(workspaceId, endpointId, id)
    : retryDueKey(workspaceId, endpointId, nextAttemptAt ?? 0, id);
}

/** Adds the entries of pending deliveries; those that exist stay. */
export async function addDueEntries(
  all: readonly { readonly workspaceId: WorkspaceId; readonly delivery: Delivery }[],
): Promise<void> {
  const [first, ...others] = all.map(({ workspaceId, delivery }) => {
    const deadlineAt = deadlineOf(delivery);
    const attributes = entryCodec.encode({ deadlineAt, expiresAt: deadlineAt + keptMs });
    return { ...dueKeyOf(workspaceId, delivery), ...attributes };
  });
  // Most who add an entry add one, and may not write batches.
  if (first) await (others.length > 0 ? putMany([first, ...others]) : put(first));
}

/** Removes entries; missing ones are no error. */
export async function removeDueEntries(entries: readonly DueEntry[]): Promise<void> {
  await removeAll(entries.map(({ key }) => key));
}

/**
 * The first entries of an endpoint, up to `limit` of each kind: those of new deliveries, oldest first, and the others by the time they
 * are due. One query where both are few: new ones sort before the others.
 */
export async function listDueEntries(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  limit: number,
): Promise<{ readonly fresh: readonly DueEntry[]; readonly retries: readonly DueEntry[] }> {
  const pk = dueDeliveries(workspaceId, endpointId);
  const page = await query({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    Limit: limit,
  });
  const fresh = page.items.filter(({ sk }) => sk.startsWith(newDuePrefix));
  const isCut = page.next !== null && fresh.length > 0;
  const retries = isCut ? await listRetries(pk, limit) : page.items.slice(fresh.length);
  return { fresh: fresh.flatMap(decode), retries: retries.flatMap(decode) };
}

async function listRetries(pk: string, limit: number): Promise<readonly Item[]> {
  const { items } = await query({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': retryDuePrefix },
    Limit: limit,
  });
  return items;
}

/** Ids of deliveries whose first attempt waits, newest first. @param before only ids before this one */
export async function listWaitingIds(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  before: string | null,
  limit: number,
): Promise<DeliveryId[]> {
  const pk = dueDeliveries(workspaceId, endpointId);
  const { items } = await query({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':pk': pk,
      ':first': newDuePrefix,
      ':last': before === null ? `${newDuePrefix}~` : `${newDuePrefix}${before}`,
    },
    ScanIndexForward: false,
    Limit: limit + 1,
  });
  const ids = items.flatMap(decode).map(({ deliveryId }) => deliveryId);
  return ids.filter((id) => id !== before).slice(0, limit);
}

function decode(item: Item): DueEntry[] {
  const [, first = '', second] = item.sk.split('#');
  const deliveryId = parseId('dlv', second ?? first);
  if (!deliveryId) return [];
  const key = { pk: item.pk, sk: item.sk };
  const dueAt = second === undefined ? 0 : Number(first);
  return [{ key, deliveryId, dueAt, deadlineAt: entryCodec.decode(item).deadlineAt }];
}
