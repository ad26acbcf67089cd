/** Deliveries of events to webhook endpoints, with their attempts. */
import type { DeliveryId, EndpointId, WorkspaceId } from '../../core/ids.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import {
  type Attempt,
  type AttemptOutcome,
  type Delivery,
  deliveryStates,
} from '../../core/webhooks/delivery.ts';
import { eventTypes, olderType } from '../../core/webhooks/event-types.ts';
import {
  codec,
  id,
  knownAs,
  list,
  nullable,
  number,
  object,
  oneOf,
  secondsAsMs,
  sortKey,
  text,
} from '../table/codec.ts';
import { compressedTextTo, plainBytesMax } from '../table/compressed-text.ts';
import { expressionsOf } from '../table/expressions.ts';
import { deliveriesInState, deliveryKey } from '../table/keys.ts';
import { get, getMany } from '../table/reads.ts';
import { put, putIf } from '../table/table.ts';
import { absent, commitIfUnchanged, createdOnce, type Write } from '../table/transactions.ts';

const attemptField = object<Attempt>({
  id: id('atp'),
  attemptedAt: number,
  statusCode: nullable(number),
  error: nullable(text),
  durationMs: number,
  response: nullable(text),
});

/** Of a test, or an event with content: several parts of 64 KB, whose control characters take six times as much in JSON. */
const bodyField = compressedTextTo(4 * 1024 * 1024);

/** For the stores of deliveries only. */
export const deliveryCodec = codec<Delivery>('delivery', {
  id: sortKey(id('dlv')),
  endpointId: id('whk'),
  eventId: id('evt'),
  eventType: knownAs(oneOf(eventTypes), olderType),
  state: oneOf(deliveryStates),
  createdAt: number,
  expiresAt: secondsAsMs,
  // The previous release posts the body of the event, which has no content.
  body: knownAs(nullable(bodyField), (body) =>
    body && Buffer.byteLength(body) > plainBytesMax ? null : body,
  ),
  replay: number,
  replayStartedAt: number,
  attemptDue: number,
  nextAttemptAt: nullable(number),
  attempts: list(attemptField),
});

/** Stores a new delivery. False where it exists: nothing was written. */
export async function createDelivery(workspaceId: WorkspaceId, created: Delivery): Promise<boolean> {
  const key = deliveryKey(workspaceId, created.endpointId, created.id);
  return await putIf({ ...key, ...deliveryCodec.encode(created), ...indexed(workspaceId, created) }, absent);
}

/** An attempt as it is recorded: with its outcome for the delivery, and the message of the next one. */
export interface AttemptRecord {
  /** null where no attempt was made. */
  readonly attempt: Attempt | null;
  readonly after: AttemptOutcome;
  readonly messages: readonly OutboxMessage[];
}

/** Stores a new delivery with the record of its first attempt. False where it exists: nothing was written. */
export async function createAttempted(
  workspaceId: WorkspaceId,
  draft: Delivery,
  { attempt, after, messages }: AttemptRecord,
): Promise<boolean> {
  const attempts = attempt ? [attempt] : [];
  const created = { ...draft, ...after, attemptDue: draft.attemptDue + 1, attempts };
  const put = {
    ...deliveryKey(workspaceId, created.endpointId, created.id),
    ...deliveryCodec.encode(created),
    ...indexed(workspaceId, created),
  };
  return await commitIfUnchanged(workspaceId, [{ as: 'delivery', put, ...createdOnce }], messages);
}

/** Stores the delivery of a test event, which is complete. */
export async function storeTestDelivery(workspaceId: WorkspaceId, delivery: Delivery): Promise<void> {
  const key = deliveryKey(workspaceId, delivery.endpointId, delivery.id);
  await put({ ...key, ...deliveryCodec.encode(delivery), ...indexed(workspaceId, delivery) });
}

/** Deliveries that failed, or that wait, are in the index by state. What was delivered at once, which is most of them, costs it no write. */
function indexed(
  workspaceId: WorkspaceId,
  { id, endpointId, state }: Pick<Delivery, 'id' | 'endpointId' | 'state'>,
): { g2pk?: string; g2sk?: string } {
  return state === 'delivered' ? {} : { g2pk: deliveriesInState(workspaceId, endpointId, state), g2sk: id };
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

/** Deliveries of an endpoint in the order of `ids`, null where there is none. */
export async function findDeliveries(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  ids: readonly DeliveryId[],
): Promise<(Delivery | null)[]> {
  const items = await getMany(ids.map((id) => deliveryKey(workspaceId, endpointId, id)));
  return items.map((item) => item && deliveryCodec.decode(item));
}

/**
 * Records the attempt that was due.
 * False where the attempt is recorded already or the delivery was replayed: nothing was written.
 */
export async function recordAttempt(
  workspaceId: WorkspaceId,
  before: Delivery,
  { attempt, after, messages }: AttemptRecord,
): Promise<boolean> {
  const { endpointId, id, replay, attemptDue } = before;
  const changed = { ...before, ...after, attemptDue: attemptDue + 1 };
  const index = indexed(workspaceId, changed);
  const change = {
    set: {
      ...after,
      attemptDue: attemptDue + 1,
      ...index,
      ...(before.body !== null && deliveryCodec.part({ body: before.body })),
    },
    append: { attempts: attempt ? [attemptField.write(attempt)] : [] },
    remove: index.g2pk === undefined ? ['g2pk', 'g2sk'] : [],
  };
  const expressions = expressionsOf(change, { equal: { state: 'pending', replay, attemptDue } });
  const update = deliveryKey(workspaceId, endpointId, id);
  return await commitIfUnchanged(workspaceId, [{ as: 'delivery', update, ...expressions }], messages);
}

/** The write that makes a delivery pending again, unless it has changed since it was read. */
export function replayDelivery(workspaceId: WorkspaceId, before: Delivery, after: Delivery): Write {
  const { endpointId, id, replay, attemptDue, state } = before;
  const { state: to, replayStartedAt, nextAttemptAt } = after;
  const set = {
    state: to,
    replayStartedAt,
    nextAttemptAt,
    replay: after.replay,
    attemptDue: after.attemptDue,
  };
  const expressions = expressionsOf(
    { set: { ...set, ...indexed(workspaceId, after) } },
    { equal: { replay, attemptDue, state } },
  );
  return { as: 'delivery', update: deliveryKey(workspaceId, endpointId, id), ...expressions };
}
