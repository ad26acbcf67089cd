/** The dispatch state of each webhook endpoint: lease, health, timer. An endpoint without an item is idle and healthy. */
import type { EndpointId, WorkspaceId } from '../core/ids.ts';
import { type DispatchState, newDispatchState, session } from '../core/webhooks/dispatch.ts';
import { type Health, newHealth } from '../core/webhooks/health.ts';
import { type Lane, lanes } from '../core/webhooks/lane.ts';
import { codec, flag, nullable, number, object, oneOf, withDefault } from './codec.ts';
import { type Condition, expressionsOf } from './expressions.ts';
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
import { get, getMany, type Item, remove, updateIf } from './table.ts';

const healthField = object<Health>({
  lane: oneOf(lanes),
  quickAnswers: number,
  failures: number,
  failingSince: nullable(number),
  lastSuccessAt: nullable(number),
  probes: number,
  nextProbeAt: nullable(number),
  isOutageReported: flag,
});

const stateCodec = codec<StoredState>('endpoint state', {
  ...leaseFields,
  sessions: withDefault(number, 0),
  calledUntil: nullable(number),
  wakeAt: nullable(number),
  health: withDefault(healthField, newHealth),
});

type StoredState = Omit<DispatchState, 'lease'> & StoredLease;

function decode(item: Item | null): DispatchState {
  if (!item) return newDispatchState;
  const { leaseToken, leaseUntil, ...state } = stateCodec.decode(item);
  return { ...state, lease: leaseOf({ leaseToken, leaseUntil }) };
}

/** The state of an endpoint. */
export async function findEndpointState(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
): Promise<DispatchState> {
  return decode(await get(endpointStateKey(workspaceId, endpointId)));
}

/** The states of endpoints, in their order; an endpoint may be named several times. */
export async function findEndpointStates(
  endpoints: readonly { readonly workspaceId: WorkspaceId; readonly endpointId: EndpointId }[],
): Promise<DispatchState[]> {
  const items = await getMany(
    endpoints.map(({ workspaceId, endpointId }) => endpointStateKey(workspaceId, endpointId)),
  );
  return items.map(decode);
}

/**
 * Takes the lease where it is free or has expired, and begins a session; a worker of the fast lane takes none of a slow endpoint. The
 * state as it was before, and whether the lease is taken.
 */
export async function acquireEndpoint(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  { token, lane }: { readonly token: string; readonly lane: Lane },
  nowMs: number,
): Promise<{ readonly isTaken: boolean; readonly before: DispatchState }> {
  const key = endpointStateKey(workspaceId, endpointId);
  const lease = { token, until: nowMs + session.leaseMs };
  const change = { increment: { sessions: 1 }, remove: ['calledUntil'] };
  const { isTaken, before } = await tryLease(key, lease, nowMs, change, lane === 'fast' ? isFast : null);
  return { isTaken, before: decode(before) };
}

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
  const change = wakeAt === null ? { set: found, remove: ['wakeAt'] } : { set: { ...found, wakeAt } };
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
