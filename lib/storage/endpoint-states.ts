/** The dispatch state of each webhook endpoint: lease, health, timer. An endpoint without an item is idle and healthy. */
import type { EndpointId, WorkspaceId } from '../core/ids.ts';
import type { DeliveryFacts } from '../core/webhooks/delivery.ts';
import {
  type DispatchState,
  newDispatchState,
  session,
  withoutEndedLease,
} from '../core/webhooks/dispatch.ts';
import { eventTypes } from '../core/webhooks/event-types.ts';
import { newHealth } from '../core/webhooks/health.ts';
import type { Lane } from '../core/webhooks/lane.ts';
import { codec, id, nullable, number, object, oneOf, withDefault } from './codec.ts';
import { findDelivery } from './deliveries.ts';
import { healthField } from './endpoint-health.ts';
import { type Condition, expressionsOf, setOrRemove } from './expressions.ts';
import { endpointStateKey } from './keys.ts';
import {
  askAgain,
  clearAgain,
  leaseFields,
  leaseOf,
  releaseLease,
  type StoredLease,
  tryLease,
} from './leases.ts';
import { get } from './reads.ts';
import { type Item, remove, updateIf } from './table.ts';

const factsField = object<DeliveryFacts>({
  id: id('dlv'),
  endpointId: id('whk'),
  eventId: id('evt'),
  eventType: oneOf(eventTypes),
  createdAt: number,
  expiresAt: nullable(number),
});

const stateCodec = codec<StoredState>('endpoint state', {
  ...leaseFields,
  endsWith: nullable(factsField),
  sessions: withDefault(number, 0),
  calledUntil: nullable(number),
  wakeAt: nullable(number),
  health: withDefault(healthField, newHealth),
});

type StoredState = Omit<DispatchState, 'lease'> & StoredLease & { readonly endsWith: DeliveryFacts | null };

function decode(item: Item | null): DispatchState {
  if (!item) return newDispatchState;
  const { leaseToken, leaseUntil, endsWith, ...state } = stateCodec.decode(item);
  const lease = leaseOf({ leaseToken, leaseUntil });
  return { ...state, lease: lease && { ...lease, endsWith } };
}

/** The state of an endpoint as it is stored: its lease may have ended without a release. */
export async function findEndpointState(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
): Promise<DispatchState> {
  return decode(await get(endpointStateKey(workspaceId, endpointId)));
}

/** The state of an endpoint without a lease that has ended. A second read follows where one may have ended without a release. */
export async function findDispatchState(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
): Promise<DispatchState> {
  const state = await findEndpointState(workspaceId, endpointId);
  const last = state.lease?.endsWith;
  if (!last) return state;
  return withoutEndedLease(state, await findDelivery(workspaceId, last.endpointId, last.id));
}

/** A worker that asks for the lease of an endpoint. */
export interface LeaseRequest {
  readonly token: string;
  readonly lane: Lane;
  /** The delivery whose record may end the session. */
  readonly endsWith: DeliveryFacts | null;
  /** The number of sessions after which the endpoint was seen without a worker; null: it was not. */
  readonly idleAfter: number | null;
}

/**
 * Takes the lease where it is free, has ended or has expired, and begins a session; a worker of the fast lane takes none of a slow
 * endpoint. The state as it was before, and whether the lease is taken.
 */
export async function acquireEndpoint(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  { token, lane, endsWith, idleAfter }: LeaseRequest,
  nowMs: number,
): Promise<{ readonly isTaken: boolean; readonly before: DispatchState }> {
  const key = endpointStateKey(workspaceId, endpointId);
  const lease = { token, until: nowMs + session.leaseMs };
  const change = {
    increment: { sessions: 1 },
    ...setOrRemove({ calledUntil: null, endsWith: endsWith && factsField.write(endsWith) }),
  };
  const required = lane === 'fast' ? isFast : null;
  const over = idleAfter === null ? null : isAfter(idleAfter);
  const { isTaken, before } = await tryLease(key, lease, nowMs, change, { required, over });
  const state = decode(before);
  const isOver = isTaken && state.sessions === idleAfter;
  return { isTaken, before: isOver ? { ...state, lease: null } : state };
}

/** Whether no session has begun since the endpoint had so many. */
const isAfter = (sessions: number): Condition => ({
  ConditionExpression: '#sessions = :idleAfter',
  ExpressionAttributeNames: { '#sessions': 'sessions' },
  ExpressionAttributeValues: { ':idleAfter': sessions },
});

const isFast: Condition = {
  ConditionExpression: '#health.#lane = :lane',
  ExpressionAttributeNames: { '#health': 'health', '#lane': 'lane' },
  ExpressionAttributeValues: { ':lane': 'fast' satisfies Lane },
};

/**
 * Notes that the session of a message in the queue is to look at the due entries. False where a session has begun since the state was
 * read, so that the message may be done already: nothing was written.
 *
 * @param sessions as in the state that was read
 */
export async function noteCall(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  sessions: number,
  untilMs: number,
): Promise<boolean> {
  const noted = await updateIf(endpointStateKey(workspaceId, endpointId), {
    UpdateExpression: 'SET calledUntil = :until',
    ConditionExpression: sessions === 0 ? 'attribute_not_exists(sessions)' : 'sessions = :sessions',
    ExpressionAttributeValues: { ':until': untilMs, ...(sessions > 0 && { ':sessions': sessions }) },
  });
  return noted !== null;
}

/** Asks the holder of a lease to look again before it releases it. False where it holds it no longer. */
export async function askEndpointAgain(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  token: string,
): Promise<boolean> {
  return await askAgain(endpointStateKey(workspaceId, endpointId), token);
}

/** Before it looks again: what asks from now on is not answered yet. False where the lease is lost. */
export async function clearEndpointAgain(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  token: string,
): Promise<boolean> {
  return await clearAgain(endpointStateKey(workspaceId, endpointId), token);
}

/**
 * Releases the lease and stores what the session found. False where the lease is lost, or something has become due
 * meanwhile: nothing was written.
 *
 * @param options.isHandedOver a message for another worker follows: what is due is left to it, and its session is to look
 */
export async function releaseEndpoint(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  token: string,
  { health, wakeAt }: Pick<DispatchState, 'health' | 'wakeAt'>,
  options: { readonly isHandedOver: boolean },
): Promise<boolean> {
  // It keeps no publisher from sending another message: this worker may die before its own is sent.
  const left = options.isHandedOver ? { calledUntil: 0 } : {};
  const found = { health: healthField.write(health), ...left };
  const { set, remove } = setOrRemove({ ...found, wakeAt, endsWith: null });
  const change = { set, remove };
  return await releaseLease(endpointStateKey(workspaceId, endpointId), token, change, options);
}

/** Moves the timer of an endpoint that no worker is at. False where another one has been set. */
export async function moveWake(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  from: number,
  to: number,
): Promise<boolean> {
  const moved = expressionsOf({ set: { wakeAt: to } }, { equal: { wakeAt: from } });
  return (await updateIf(endpointStateKey(workspaceId, endpointId), moved)) !== null;
}

/** Removes the state of a deleted endpoint. */
export async function removeEndpointState(workspaceId: WorkspaceId, endpointId: EndpointId): Promise<void> {
  await remove(endpointStateKey(workspaceId, endpointId));
}
