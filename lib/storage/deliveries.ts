/** Deliveries of events to webhook endpoints, with their attempts. */
import type { DeliveryId, EndpointId, WorkspaceId } from '../core/ids.ts';
import { limits } from '../core/limits.ts';
import type { Page, Paging } from '../core/page.ts';
import type { OutboxMessage } from '../core/queue-messages.ts';
import { endWithin } from '../core/response-size.ts';
import {
  type Attempt,
  type AttemptOutcome,
  type Delivery,
  type DeliveryState,
  deliveryStates,
} from '../core/webhooks/delivery.ts';
import { eventTypes } from '../core/webhooks/event-types.ts';
import { codec, id, list, nullable, number, object, oneOf, sortKey, text } from './codec.ts';
import { expressionsOf } from './expressions.ts';
import { deliveries, deliveriesInState, deliveryKey } from './keys.ts';
import { listPage } from './paging.ts';
import { addToRetryIndex, removeFromRetryIndex } from './retry-index.ts';
import { get, getMany } from './table.ts';
import { absent, commitIfUnchanged, type Write } from './transactions.ts';

const attemptField = object<Attempt>({
  id: id('atp'),
  attemptedAt: number,
  statusCode: nullable(number),
  error: nullable(text),
  durationMs: number,
  response: nullable(text),
});

const deliveryCodec = codec<Delivery>('delivery', {
  id: sortKey(id('dlv')),
  endpointId: id('whk'),
  eventId: id('evt'),
  eventType: oneOf(eventTypes),
  state: oneOf(deliveryStates),
  createdAt: number,
  body: text,
  replay: number,
  replayStartedAt: number,
  attemptDue: number,
  nextAttemptAt: nullable(number),
  attempts: list(attemptField),
});

/** Stores a new delivery with its messages. False where it exists: nothing was written. */
export async function createDelivery(
  workspaceId: WorkspaceId,
  created: Delivery,
  messages: readonly OutboxMessage[],
): Promise<boolean> {
  const { id, endpointId, state } = created;
  return await commitIfUnchanged(
    workspaceId,
    [
      {
        as: 'delivery',
        put: {
          ...deliveryKey(workspaceId, endpointId, id),
          ...deliveryCodec.encode(created),
          g2pk: deliveriesInState(workspaceId, endpointId, state),
          g2sk: id,
        },
        ...absent,
      },
    ],
    messages,
  );
}

/** A delivery of an endpoint, or null. */
export async function findDelivery(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  id: DeliveryId,
): Promise<Delivery | null> {
  const item = await get(deliveryKey(workspaceId, endpointId, id));
  return item && deliveryCodec.decode(item);
}

/**
 * Records the attempt that was due, its outcome for the delivery, and the messages that follow.
 * False where the attempt is recorded already or the delivery was replayed: nothing was written.
 *
 * @param attempt null where no attempt was made
 */
export async function recordAttempt(
  workspaceId: WorkspaceId,
  before: Delivery,
  attempt: Attempt | null,
  after: AttemptOutcome,
  messages: readonly OutboxMessage[],
): Promise<boolean> {
  const { endpointId, id, replay, attemptDue } = before;
  const { state, nextAttemptAt } = after;
  const change = {
    set: {
      state,
      nextAttemptAt,
      attemptDue: attemptDue + 1,
      g2pk: deliveriesInState(workspaceId, endpointId, state),
    },
    append: { attempts: attempt ? [attemptField.write(attempt)] : [] },
  };
  const expressions = expressionsOf(change, { equal: { state: 'pending', replay, attemptDue } });
  return await commitIfUnchanged(
    workspaceId,
    [
      { as: 'delivery', update: deliveryKey(workspaceId, endpointId, id), ...expressions },
      ...retryWrites(workspaceId, before, nextAttemptAt),
    ],
    messages,
  );
}

/** The retry index after an attempt. A first attempt has no entry: its message waits for no timer. */
function retryWrites(
  workspaceId: WorkspaceId,
  { endpointId, id: deliveryId, attemptDue, nextAttemptAt: before }: Delivery,
  after: number | null,
): Write[] {
  const entry = (at: number) => ({ workspaceId, endpointId, deliveryId, at });
  if (after !== null && after === before) return [addToRetryIndex(entry(after))];
  return [
    ...(before !== null && attemptDue > 1 ? [removeFromRetryIndex(entry(before))] : []),
    ...(after !== null ? [addToRetryIndex(entry(after))] : []),
  ];
}

/**
 * A page of an endpoint's deliveries with their attempts, newest first. It ends early at `limits.pageBytes`; with
 * `state` it may also be short where a delivery changed its state meanwhile.
 *
 * @param state undefined: every state
 */
export async function listDeliveries(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  state: DeliveryState | undefined,
  paging: Paging,
): Promise<Page<Delivery>> {
  const order = 'newest first';
  if (!state) {
    const page = await listPage({ pk: deliveries(workspaceId, endpointId), order, ...paging });
    return truncatePage(page.items.map(deliveryCodec.decode), page.next);
  }
  // The index projects keys only, so that a change of state does not write the body again.
  const pk = deliveriesInState(workspaceId, endpointId, state);
  const page = await listPage({ pk, index: 'GSI2', order, ...paging });
  const items = await getMany(page.items.map(({ pk, sk }) => ({ pk, sk })));
  const found = items.flatMap((item) => (item ? [deliveryCodec.decode(item)] : []));
  return truncatePage(
    found.filter((delivery) => delivery.state === state),
    page.next,
  );
}

function truncatePage(found: readonly Delivery[], next: string | null): Page<Delivery> {
  const end = endWithin(found, limits.pageBytes);
  const isCut = end < found.length;
  return { items: found.slice(0, end), next: isCut ? (found[end - 1]?.id ?? null) : next };
}
