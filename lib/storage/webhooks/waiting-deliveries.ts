/** Waiting entries: the attempts of an endpoint's deliveries that wait in the table, because the endpoint is busy or closed. */
import { type DeliveryId, type EventId, parseId, type WorkspaceId } from '../../core/ids.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import { type Delivery, deadlineOf } from '../../core/webhooks/delivery.ts';
import type { EndpointRef } from '../../core/webhooks/endpoint.ts';
import { codec, id, number, secondsAsMs } from '../table/codec.ts';
import { type Key, waitingDeliveries, waitingKey } from '../table/keys.ts';
import { type Item, putMany, query, removeAll } from '../table/table.ts';
import { commit, present, refusalOf } from '../table/transactions.ts';

/** An attempt that waits. */
export interface WaitingAttempt {
  readonly deliveryId: DeliveryId;
  readonly replay: number;
  readonly attempt: number;
  readonly eventId: EventId;
  /** Of the delivery. */
  readonly createdAt: number;
  /** Of the delivery. */
  readonly deadlineAt: number;
}

/** TTL removes what a deleted endpoint has left. */
const keptMs = 24 * 3_600_000;

const entryCodec = codec<Pick<WaitingAttempt, 'eventId' | 'createdAt'> & { readonly expiresAt: number }>(
  'waiting entry',
  { eventId: id('evt'), createdAt: number, expiresAt: secondsAsMs },
);

/** The key of the entry that a pending delivery may have. For the stores of deliveries only. */
export function keyOfWaiting(workspaceId: WorkspaceId, delivery: Delivery): Key {
  const { endpointId, id: deliveryId, replay, attemptDue: attempt } = delivery;
  const deadlineAt = deadlineOf(delivery);
  return waitingKey(workspaceId, endpointId, { deadlineAt, deliveryId, replay, attempt });
}

/** Adds the entries of pending deliveries; those that exist stay. */
export async function addWaiting(workspaceId: WorkspaceId, deliveries: readonly Delivery[]): Promise<void> {
  await putMany(
    deliveries.map((delivery) => {
      const { eventId, createdAt } = delivery;
      return {
        ...keyOfWaiting(workspaceId, delivery),
        ...entryCodec.encode({ eventId, createdAt, expiresAt: deadlineOf(delivery) + keptMs }),
      };
    }),
  );
}

const keysOf = ({ workspaceId, endpointId }: EndpointRef, attempts: readonly WaitingAttempt[]) =>
  attempts.map((attempt) => waitingKey(workspaceId, endpointId, attempt));

/** Removes entries; missing ones are no error. */
export async function removeWaiting(of: EndpointRef, attempts: readonly WaitingAttempt[]): Promise<void> {
  await removeAll(keysOf(of, attempts));
}

/**
 * Removes entries and sends their messages, all or nothing. False where another worker has removed one of them.
 *
 * @param attempts at most 99
 */
export async function replaceWaiting(
  of: EndpointRef,
  attempts: readonly WaitingAttempt[],
  messages: readonly OutboxMessage[],
): Promise<boolean> {
  const keys = keysOf(of, attempts);
  const writes = keys.map((key, at) => ({ as: `waiting ${at}`, delete: key, ...present }));
  try {
    await commit(of.workspaceId, writes, messages);
    return true;
  } catch (error) {
    refusalOf(error);
    return false;
  }
}

/** The first entries of an endpoint, the oldest delivery first. */
export async function listWaiting(
  { workspaceId, endpointId }: EndpointRef,
  limit: number,
): Promise<readonly WaitingAttempt[]> {
  const { items } = await query({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': waitingDeliveries(workspaceId, endpointId) },
    Limit: limit,
  });
  return items.flatMap(decode);
}

function decode(item: Item): WaitingAttempt[] {
  const [deadlineAt, name = '', replay, attempt] = item.sk.split('#');
  const deliveryId = parseId('dlv', name);
  if (!deliveryId) return [];
  const { eventId, createdAt } = entryCodec.decode(item);
  return [
    {
      deadlineAt: Number(deadlineAt),
      deliveryId,
      replay: Number(replay),
      attempt: Number(attempt),
      eventId,
      createdAt,
    },
  ];
}
