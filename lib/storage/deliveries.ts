/** Deliveries of events to endpoints, with the attempts that were made. */
import type { DeliveryId, EndpointId, WorkspaceId } from '../core/ids.ts';
import { limits } from '../core/limits.ts';
import type { OutboxMessage } from '../core/queue-messages.ts';
import type { Attempt, AttemptOutcome, Delivery, DeliveryState } from '../core/webhooks/delivery.ts';
import { deliveries, deliveriesInState, deliveryKey } from './keys.ts';
import { enqueue } from './outbox.ts';
import { listPage, type Page } from './paging.ts';
import { absent, get, getMany, type Item, ifUnchanged } from './table.ts';

function delivery(item: Item): Delivery {
  return {
    id: item.sk as DeliveryId,
    endpointId: item.endpointId as EndpointId,
    eventId: item.eventId as Delivery['eventId'],
    eventType: item.eventType as Delivery['eventType'],
    state: item.state as DeliveryState,
    createdAt: item.createdAt as number,
    body: item.body as string,
    replay: item.replay as number,
    replayStartedAt: item.replayStartedAt as number,
    attemptDue: item.attemptDue as number,
    nextAttemptAt: item.nextAttemptAt as number | null,
    attempts: item.attempts as Attempt[],
  };
}

/** Stores a new delivery with the work it owes. False where it was there already: nothing was written. */
export async function createDelivery(
  workspaceId: WorkspaceId,
  created: Delivery,
  messages: readonly OutboxMessage[],
): Promise<boolean> {
  const { id, ...attributes } = created;
  return await ifUnchanged([
    {
      as: 'delivery',
      put: {
        ...deliveryKey(workspaceId, created.endpointId, id),
        ...attributes,
        g2pk: deliveriesInState(workspaceId, created.endpointId, created.state),
        g2sk: id,
      },
      ...absent,
    },
    ...enqueue(workspaceId, messages),
  ]);
}

/** A delivery of an endpoint, or null. */
export async function findDelivery(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  id: DeliveryId,
): Promise<Delivery | null> {
  const item = await get(deliveryKey(workspaceId, endpointId, id));
  return item ? delivery(item) : null;
}

/**
 * Records the attempt that was due, where it leaves the delivery, and what that owes.
 * False where the attempt was recorded before or the delivery replayed: nothing was written.
 *
 * @param made null where no attempt was made
 */
export async function recordAttempt(
  workspaceId: WorkspaceId,
  before: Delivery,
  made: Attempt | null,
  after: AttemptOutcome,
  messages: readonly OutboxMessage[],
): Promise<boolean> {
  const { endpointId, id } = before;
  return await ifUnchanged([
    {
      as: 'delivery',
      update: deliveryKey(workspaceId, endpointId, id),
      UpdateExpression:
        'SET attempts = list_append(attempts, :made), #state = :state, g2pk = :g2pk, ' +
        'nextAttemptAt = :next, attemptDue = :nextDue',
      ConditionExpression: '#state = :pending AND #replay = :replay AND attemptDue = :due',
      ExpressionAttributeNames: { '#state': 'state', '#replay': 'replay' },
      ExpressionAttributeValues: {
        ':made': made ? [made] : [],
        ':state': after.state,
        ':g2pk': deliveriesInState(workspaceId, endpointId, after.state),
        ':next': after.nextAttemptAt,
        ':nextDue': before.attemptDue + 1,
        ':pending': 'pending',
        ':replay': before.replay,
        ':due': before.attemptDue,
      },
    },
    ...enqueue(workspaceId, messages),
  ]);
}

/**
 * A page of an endpoint's deliveries, newest first, with their attempts. It ends early once it holds as many bytes
 * as an answer may, and with `state` where a delivery changed its state meanwhile.
 *
 * @param state undefined: every state
 */
export async function listDeliveries(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  state: DeliveryState | undefined,
  paging: { limit: number; after: string | null },
): Promise<Page<Delivery>> {
  const order = 'newest first';
  if (!state) {
    const page = await listPage({ pk: deliveries(workspaceId, endpointId), order, ...paging });
    return cut(page.items.map(delivery), page.next);
  }
  // The index holds keys only, so that the change of state of a delivery does not write its body once more.
  const pk = deliveriesInState(workspaceId, endpointId, state);
  const page = await listPage({ pk, index: 'GSI2', order, ...paging });
  const items = await getMany(page.items.map(({ pk, sk }) => ({ pk, sk })));
  const found = items.flatMap((item) => (item ? [delivery(item)] : []));
  return cut(
    found.filter((one) => one.state === state),
    page.next,
  );
}

function cut(found: Delivery[], next: string | null): Page<Delivery> {
  let bytes = 0;
  const end = found.findIndex((one) => {
    bytes += Buffer.byteLength(JSON.stringify(one));
    return bytes > limits.pageBytes;
  });
  // A single delivery is far smaller than a page, so that one that is cut always holds something.
  return end < 0 ? { items: found, next } : { items: found.slice(0, end), next: found[end - 1]?.id ?? null };
}
