/** The dispatch state of each webhook endpoint: lease, health, timer. An endpoint without an item is idle and healthy. */
import type { EndpointId, WorkspaceId } from '../core/ids.ts';
import { type DispatchState, session } from '../core/webhooks/dispatch.ts';
import { type Health, newHealth } from '../core/webhooks/health.ts';
import { lanes } from '../core/webhooks/lane.ts';
import { codec, flag, nullable, number, object, oneOf, sparseFlag, text, withDefault } from './codec.ts';
import { expressionsOf } from './expressions.ts';
import { endpointStateKey } from './keys.ts';
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
  leaseToken: nullable(text),
  leaseUntil: nullable(number),
  again: sparseFlag,
  sessions: withDefault(number, 0),
  calledUntil: nullable(number),
  wakeAt: nullable(number),
  health: withDefault(healthField, newHealth),
});

interface StoredState extends Omit<DispatchState, 'lease'> {
  readonly leaseToken: string | null;
  readonly leaseUntil: number | null;
}

function decode(item: Item | null): DispatchState {
  const { leaseToken: token, leaseUntil: until, ...state } = stateCodec.decode(item ?? {});
  return { ...state, lease: token === null || until === null ? null : { token, until } };
}

/** The state of an endpoint. */
export async function findEndpointState(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
): Promise<DispatchState> {
  return decode(await get(endpointStateKey(workspaceId, endpointId)));
}

/** The states of endpoints, in their order. */
export async function findEndpointStates(
  workspaceId: WorkspaceId,
  endpointIds: readonly EndpointId[],
): Promise<DispatchState[]> {
  const items = await getMany(endpointIds.map((id) => endpointStateKey(workspaceId, id)));
  return items.map(decode);
}

/** Takes the lease where it is free or has expired; null where another worker holds it. */
export async function acquireLease(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  token: string,
  nowMs: number,
): Promise<DispatchState | null> {
  const item = await updateIf(endpointStateKey(workspaceId, endpointId), {
    UpdateExpression:
      'SET leaseToken = :token, leaseUntil = :until, sessions = if_not_exists(sessions, :none) + :one ' +
      'REMOVE #again, calledUntil',
    ConditionExpression: 'attribute_not_exists(leaseToken) OR leaseUntil <= :now',
    ExpressionAttributeNames: { '#again': 'again' },
    ExpressionAttributeValues: {
      ':token': token,
      ':until': nowMs + session.leaseMs,
      ':now': nowMs,
      ':none': 0,
      ':one': 1,
    },
  });
  return item && decode(item);
}

/**
 * Notes that a message was sent, unless a worker has come since the state was read: the message may be done already.
 *
 * @param sessions as in the state that was read before the message was sent
 */
export async function noteCall(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  sessions: number,
  untilMs: number,
): Promise<void> {
  await updateIf(endpointStateKey(workspaceId, endpointId), {
    UpdateExpression: 'SET calledUntil = :until',
    ConditionExpression: sessions === 0 ? 'attribute_not_exists(sessions)' : 'sessions = :sessions',
    ExpressionAttributeValues: { ':until': untilMs, ...(sessions > 0 && { ':sessions': sessions }) },
  });
}

/** Asks the holder of a lease to look again before it releases it. False where it holds it no longer. */
export async function askAgain(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  token: string,
): Promise<boolean> {
  const asked = expressionsOf({ set: { again: true } }, { equal: { leaseToken: token } });
  return (await updateIf(endpointStateKey(workspaceId, endpointId), asked)) !== null;
}

/** Before it looks again: what asks from now on is not answered yet. False where the lease is lost. */
export async function clearAgain(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  token: string,
): Promise<boolean> {
  const cleared = expressionsOf({ remove: ['again'] }, { equal: { leaseToken: token } });
  return (await updateIf(endpointStateKey(workspaceId, endpointId), cleared)) !== null;
}

/**
 * Releases the lease and stores what the session found. False where the lease is lost, or something has become due
 * meanwhile: nothing was written.
 *
 * @param options.isHandedOver a message for another worker follows: what has become due is left to it
 */
export async function releaseLease(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  token: string,
  found: Pick<DispatchState, 'health' | 'wakeAt'>,
  { isHandedOver }: { readonly isHandedOver: boolean },
): Promise<boolean> {
  const item = await updateIf(endpointStateKey(workspaceId, endpointId), {
    UpdateExpression:
      found.wakeAt === null
        ? 'SET health = :health REMOVE leaseToken, leaseUntil, #again, wakeAt'
        : 'SET health = :health, wakeAt = :wakeAt REMOVE leaseToken, leaseUntil, #again',
    ConditionExpression: `leaseToken = :token${isHandedOver ? '' : ' AND attribute_not_exists(#again)'}`,
    ExpressionAttributeNames: { '#again': 'again' },
    ExpressionAttributeValues: {
      ':token': token,
      ':health': healthField.write(found.health),
      ...(found.wakeAt !== null && { ':wakeAt': found.wakeAt }),
    },
  });
  return item !== null;
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
