/** The dispatch state of each webhook endpoint: units in use, backlog, health. An endpoint without an item is idle and healthy. */
import { secureBytes } from '../../adapters/random.ts';
import type { EndpointId, WorkspaceId } from '../../core/ids.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import {
  type DispatchState,
  type Holder,
  newDispatchState,
  type UnitsPlan,
} from '../../core/webhooks/dispatch.ts';
import type { EndpointRef } from '../../core/webhooks/endpoint.ts';
import { type Health, newHealth } from '../../core/webhooks/health.ts';
import { codec, flag, nullable, number, object, text, withDefault } from '../table/codec.ts';
import { type Expressions, expressionsOf, setOrRemove, withCondition } from '../table/expressions.ts';
import { endpointStateKey } from '../table/keys.ts';
import { get } from '../table/reads.ts';
import { type Item, remove, update, updateIf, updateOr } from '../table/table.ts';
import { commitIfUnchanged } from '../table/transactions.ts';

const healthField = object<Health>({
  failures: number,
  failingSince: nullable(number),
  succeededAt: nullable(number),
  probes: number,
  nextProbeAt: nullable(number),
  isOutageReported: flag,
});

const stateCodec = codec<Omit<DispatchState, 'holders'>>('endpoint state', {
  inUse: withDefault(number, 0),
  backlog: nullable(text),
  health: withDefault(healthField, newHealth),
  healthVersion: withDefault(number, 0),
});

/** Short: 13 workers may hold units, and an update of more than 1 KB costs two units. */
const holderCodec = codec<Holder>('endpoint holder', {
  units: { ...number, attribute: 'n' },
  until: { ...number, attribute: 't' },
});
const holderPrefix = 'h_';
const attributeOf = (token: string): string => holderPrefix + token;

function decode(item: Item | null): DispatchState {
  if (!item) return newDispatchState;
  const stored = Object.entries(item).filter(([name]) => name.startsWith(holderPrefix));
  const holders = stored.map(
    ([name, value]) => [name.slice(holderPrefix.length), holderCodec.decode(Object(value))] as const,
  );
  return { ...stateCodec.decode(item), holders: new Map(holders) };
}

/** The state of an endpoint. */
export async function findEndpointState(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
): Promise<DispatchState> {
  return decode(await get(endpointStateKey(workspaceId, endpointId)));
}

/** Whether a change was made, and the state after it; where it was not, as it is. */
export interface StateChange {
  readonly isDone: boolean;
  readonly state: DispatchState;
}

export interface TakenUnits {
  readonly token: string;
  readonly plan: UnitsPlan;
  readonly until: number;
  /** The state that the plan is of. */
  readonly before: DispatchState;
  /** At a probe, which no other worker is to begin; undefined: it stays. */
  readonly health?: Health | undefined;
}

/**
 * Takes units, and those of holders that have ended. Not done where the plan does not hold any more. Repeated, it is not done, and the state has
 * the holder.
 */
export async function takeUnits(
  of: EndpointRef,
  { token, plan, until, before, health }: TakenUnits,
  messages: readonly OutboxMessage[],
): Promise<StateChange> {
  const added = plan.units - plan.freed;
  // Short names: an expression has at most 4 KB ("Constraints in Amazon DynamoDB"), and every unit may be of a holder that has ended.
  const ended = Object.fromEntries(plan.expired.map((one, at) => [`#x${at}`, attributeOf(one)]));
  const holder = holderCodec.encode({ units: plan.units, until });
  const change = expressionsOf({
    set: { [attributeOf(token)]: holder, ...healthSet(before, health) },
    increment: { inUse: added },
    remove: plan.expired.map(attributeOf),
  });
  const input = withCondition(change, {
    ConditionExpression: [
      `attribute_not_exists(#${attributeOf(token)})`,
      isOfVersion(before),
      '(attribute_not_exists(#inUse) OR #inUse <= :most)',
      ...Object.keys(ended).map((name) => `attribute_exists(${name})`),
    ].join(' AND '),
    ExpressionAttributeNames: { ...versionName, ...ended },
    ExpressionAttributeValues: { ...versionValue(before), ':most': plan.limit - added },
  });
  return await changeState(of, input, messages);
}

export interface ReturnedUnits {
  readonly token: string;
  readonly units: number;
  readonly before: DispatchState;
  /** undefined: it has not changed. */
  readonly health?: Health | undefined;
}

/** Returns the units of a worker, with the health that it has found. Not done where it holds none, or the health has changed since. */
export async function returnUnits(
  of: EndpointRef,
  { token, units, before, health }: ReturnedUnits,
  messages: readonly OutboxMessage[],
): Promise<StateChange> {
  const change = expressionsOf({
    set: healthSet(before, health),
    increment: { inUse: -units },
    remove: [attributeOf(token)],
  });
  const input = withCondition(change, {
    ConditionExpression: `attribute_exists(#${attributeOf(token)}) AND ${isOfVersion(before)}`,
    ExpressionAttributeNames: versionName,
    ExpressionAttributeValues: versionValue(before),
  });
  return await changeState(of, input, messages);
}

async function changeState(
  { workspaceId, endpointId }: EndpointRef,
  expressions: Expressions,
  messages: readonly OutboxMessage[],
): Promise<StateChange> {
  const key = endpointStateKey(workspaceId, endpointId);
  if (messages.length === 0) {
    const { isDone, item } = await updateOr(key, expressions);
    return { isDone, state: decode(item) };
  }
  const write = { as: 'state', update: key, ...expressions };
  const isDone = await commitIfUnchanged(workspaceId, [write], messages);
  return { isDone, state: await findEndpointState(workspaceId, endpointId) };
}

/** Notes that deliveries have begun to wait, after their entries are stored. Returns the state after it. */
export async function markBacklog({ workspaceId, endpointId }: EndpointRef): Promise<DispatchState> {
  const key = endpointStateKey(workspaceId, endpointId);
  const mark = secureBytes(6).toString('hex');
  return decode(await update(key, expressionsOf({ set: { backlog: mark } })));
}

/**
 * Notes that no delivery waits. At a closed endpoint the next one is the probe. False where one has begun to wait since `before` was read.
 */
export async function clearBacklog(
  { workspaceId, endpointId }: EndpointRef,
  before: DispatchState,
  health: Health | undefined,
): Promise<boolean> {
  const { set, remove: removed } = setOrRemove({ backlog: null });
  const change = { set: { ...set, ...healthSet(before, health) }, remove: removed };
  const input = withCondition(expressionsOf(change), {
    ConditionExpression: `#backlog = :seen AND ${isOfVersion(before)}`,
    ExpressionAttributeNames: { '#backlog': 'backlog', ...versionName },
    ExpressionAttributeValues: { ':seen': before.backlog, ...versionValue(before) },
  });
  return (await updateIf(endpointStateKey(workspaceId, endpointId), input)) !== null;
}

/** Removes the state of a deleted endpoint. */
export async function removeEndpointState({ workspaceId, endpointId }: EndpointRef): Promise<void> {
  await remove(endpointStateKey(workspaceId, endpointId));
}

function healthSet({ healthVersion }: DispatchState, health: Health | undefined): Record<string, unknown> {
  return health ? { health: healthField.write(health), healthVersion: healthVersion + 1 } : {};
}

const versionName = { '#healthVersion': 'healthVersion' };

const isOfVersion = ({ healthVersion }: DispatchState): string =>
  healthVersion === 0 ? 'attribute_not_exists(#healthVersion)' : '#healthVersion = :version';

const versionValue = ({ healthVersion }: DispatchState) =>
  healthVersion === 0 ? {} : { ':version': healthVersion };
