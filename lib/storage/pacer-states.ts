/** The pacer of each workspace: its lease, its timer, and how far its tree is; and the index of the timers, for the sweep. */
import { parseId, type WorkspaceId } from '../core/ids.ts';
import type { HeldPosition } from '../core/pacing/held.ts';
import { type PacerState, pacerTimes, type TreeProgress, unusedPacer } from '../core/pacing/pacer.ts';
import {
  codec,
  type Field,
  nullable,
  number,
  object,
  sparseFlag,
  sparseList,
  text,
  withDefault,
} from './codec.ts';
import { expressionsOf } from './expressions.ts';
import { pacerKey, pacerWakeBound, pacerWakeKey, pacerWakeShards } from './keys.ts';
import { positionField } from './pacing-fields.ts';
import { get, type Item, put, remove, updateIf } from './table.ts';
import { listBefore, shardOf } from './time-index.ts';
import type { Write } from './transactions.ts';

const sortedToField: Field<HeldPosition | ''> = {
  read: (stored) => (stored === '' ? '' : positionField.read(stored)),
  write: (value) => value,
};

const stateCodec = codec<PacerState>('pacer', {
  lease: nullable(object({ token: text, until: number })),
  again: sparseFlag,
  wakeAt: nullable(number),
  treeVersion: withDefault(number, 0),
  sortedTo: nullable(sortedToField),
  oldTrees: sparseList(number),
});

const decode = (item: Item | null): PacerState => (item ? stateCodec.decode(item) : unusedPacer);

export async function findPacer(workspaceId: WorkspaceId): Promise<PacerState> {
  return decode(await get(pacerKey(workspaceId)));
}

/** Takes the lease where it is free or has expired; null where another worker has it. */
export async function acquirePacer(
  workspaceId: WorkspaceId,
  token: string,
  nowMs: number,
): Promise<PacerState | null> {
  const item = await updateIf(pacerKey(workspaceId), {
    UpdateExpression: 'SET #lease = :lease REMOVE #again',
    ConditionExpression: 'attribute_not_exists(#lease) OR #lease.#until <= :now',
    ExpressionAttributeNames: { '#lease': 'lease', '#until': 'until', '#again': 'again' },
    ExpressionAttributeValues: { ':lease': { token, until: nowMs + pacerTimes.leaseMs }, ':now': nowMs },
  });
  return item && decode(item);
}

const hasLease = (token: string) => ({
  ConditionExpression: '#lease.#token = :token',
  ExpressionAttributeNames: { '#lease': 'lease', '#token': 'token' },
  ExpressionAttributeValues: { ':token': token },
});

async function updateUnder(
  workspaceId: WorkspaceId,
  token: string,
  change: Parameters<typeof expressionsOf>[0],
  condition = '',
): Promise<boolean> {
  const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = expressionsOf(change);
  const lease = hasLease(token);
  const item = await updateIf(pacerKey(workspaceId), {
    UpdateExpression,
    ConditionExpression: `${lease.ConditionExpression}${condition}`,
    ExpressionAttributeNames: { ...ExpressionAttributeNames, ...lease.ExpressionAttributeNames },
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ...lease.ExpressionAttributeValues },
  });
  return item !== null;
}

/** Asks the holder of the lease to look again before it releases it. False where it has it no longer. */
export async function askPacerAgain(workspaceId: WorkspaceId, token: string): Promise<boolean> {
  return await updateUnder(workspaceId, token, { set: { again: true } });
}

/** Before the holder looks again: what asks from now on is not answered yet. False where the lease is lost. */
export async function clearPacerAgain(workspaceId: WorkspaceId, token: string): Promise<boolean> {
  return await updateUnder(workspaceId, token, { remove: ['again'] });
}

/**
 * Releases the lease. False where it is lost, or something was asked meanwhile: nothing was written.
 *
 * @param options.isHandedOver a message for another worker follows: what was asked is left to it
 */
export async function releasePacer(
  workspaceId: WorkspaceId,
  token: string,
  wakeAt: number | null,
  { isHandedOver }: { readonly isHandedOver: boolean },
): Promise<boolean> {
  const removed = ['lease', 'again', ...(wakeAt === null ? ['wakeAt'] : [])];
  return await updateUnder(
    workspaceId,
    token,
    { set: { wakeAt: wakeAt ?? undefined }, remove: removed },
    isHandedOver ? '' : ' AND attribute_not_exists(#again)',
  );
}

/** Stores how far the tree is. False where the lease is lost. */
export async function saveTreeProgress(
  workspaceId: WorkspaceId,
  token: string,
  { treeVersion, sortedTo, oldTrees }: TreeProgress,
): Promise<boolean> {
  return await updateUnder(workspaceId, token, {
    set: { treeVersion, oldTrees, sortedTo: sortedTo ?? undefined },
    remove: sortedTo === null ? ['sortedTo'] : [],
  });
}

/** The write that requires the lease, named `lease`. @param sortedTo stored with it; undefined: as it is */
export function underLease(
  workspaceId: WorkspaceId,
  token: string,
  sortedTo: HeldPosition | '' | null | undefined,
): Write {
  const lease = hasLease(token);
  const key = pacerKey(workspaceId);
  if (sortedTo === undefined) return { as: 'lease', check: key, ...lease };
  const change = sortedTo === null ? { remove: ['sortedTo'] } : { set: { sortedTo } };
  const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = expressionsOf(change);
  return {
    as: 'lease',
    update: key,
    UpdateExpression,
    ConditionExpression: lease.ConditionExpression,
    ExpressionAttributeNames: { ...ExpressionAttributeNames, ...lease.ExpressionAttributeNames },
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ...lease.ExpressionAttributeValues },
  };
}

/** A workspace whose pacer has a timer. */
export interface PacerWake {
  readonly workspaceId: WorkspaceId;
  /** When the timer fires; Unix milliseconds. */
  readonly at: number;
}

const keyOf = ({ workspaceId, at }: PacerWake) =>
  pacerWakeKey(shardOf(workspaceId, pacerWakeShards), at, workspaceId);

/** Adds an entry; one that exists stays. */
export async function addPacerWake(entry: PacerWake): Promise<void> {
  await put({ ...keyOf(entry) });
}

/** Removes an entry; a missing one is no error. */
export async function removePacerWake(entry: PacerWake): Promise<void> {
  await remove(keyOf(entry));
}

/** Entries before `atMs`, oldest first, up to `limit` of each shard. */
export async function listOverduePacers(atMs: number, limit: number): Promise<PacerWake[]> {
  const found = await listBefore(pacerWakeShards, pacerWakeBound, atMs, limit);
  return found.flatMap(([at = '', workspace = '']) => {
    const workspaceId = parseId('wks', workspace);
    return workspaceId ? [{ workspaceId, at: Number(at) }] : [];
  });
}
