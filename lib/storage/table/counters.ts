/**
 * Counters of resources of which a workspace has a limited number (docs/decisions/0044-counted-limits.md). The counter of
 * a small limit changes in the transaction of the resource; a large one is a cap, which is reserved before it.
 */
import { now } from '../../adapters/clock.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { codec, number, withDefault } from './codec.ts';
import { expressionsOf, withCondition } from './expressions.ts';
import { counterKey } from './keys.ts';
import { getMany } from './reads.ts';
import { type Item, updateIf, updateOr } from './table.ts';
import type { Write } from './transactions.ts';

export type CountedKind = 'endpoints' | 'api-keys' | 'pacing-rules' | 'inbound-rules' | 'oauth-apps';

/** The write that counts a new resource, named `counter`; its condition fails where there are `max`. */
export function countCreated(workspaceId: WorkspaceId, kind: CountedKind, max: number): Write {
  return {
    ...countChanged(workspaceId, kind, 1, { ':max': max }),
    ConditionExpression: 'attribute_not_exists(#count) OR #count < :max',
  };
}

/** The write that counts a deleted resource. */
export function countDeleted(workspaceId: WorkspaceId, kind: CountedKind): Write {
  return countChanged(workspaceId, kind, -1);
}

/** The write that takes deleted resources from the count of a cap, in the transaction that deletes them. */
export function countReturned(workspaceId: WorkspaceId, kind: CappedKind, amount: number): Write {
  return countChanged(workspaceId, kind, -amount);
}

function countChanged(
  workspaceId: WorkspaceId,
  kind: CountedKind | CappedKind,
  by: number,
  values: Readonly<Record<string, number>> = {},
) {
  return {
    as: 'counter',
    update: counterKey(workspaceId, kind),
    UpdateExpression: 'ADD #count :by',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':by': by, ...values },
  };
}

export type CappedKind = 'domains' | 'mailboxes' | 'spaces' | 'suppressions';

interface CapCounter {
  readonly count: number;
  /** Last reservation; Unix milliseconds. */
  readonly reservedAt: number;
  /** Last time at which the resources were counted. */
  readonly recountedAt: number;
}

const capCodec = codec<CapCounter>('counter', {
  count: number,
  reservedAt: withDefault(number, 0),
  recountedAt: withDefault(number, 0),
});

/** A reservation is either used or returned after this time, or its function has died. */
const reservationMsMax = 60_000;
const recountEveryMs = 3_600_000;

export interface Cap {
  readonly kind: CappedKind;
  readonly max: number;
  /** Counts the stored resources; null: the counter begins at 0. */
  readonly recount: (() => Promise<number>) | null;
}

/**
 * Counts `amount` resources that are about to be created. False beyond the cap: nothing is counted. Return what is not
 * created. Where the counter refuses, the resources are counted again, at most once an hour: functions that died may have
 * left it too high.
 */
export async function reserveCount(workspaceId: WorkspaceId, cap: Cap, amount: number): Promise<boolean> {
  const { kind, max, recount } = cap;
  const key = counterKey(workspaceId, kind);
  const at = now();
  const change = expressionsOf({ increment: { count: amount }, set: { reservedAt: at } });
  const { isDone, item } = await updateOr(
    key,
    withCondition(change, {
      ConditionExpression: recount ? '#count <= :room' : 'attribute_not_exists(#count) OR #count <= :room',
      ExpressionAttributeValues: { ':room': max - amount },
    }),
  );
  if (isDone) return true;
  if (!recount) return false;
  const known = item && capCodec.decode(item);
  const isSure =
    known !== null && (at - known.reservedAt < reservationMsMax || at - known.recountedAt < recountEveryMs);
  if (isSure) return false;
  const count = await recount();
  const isAllowed = count + amount <= max;
  const counted = {
    count: isAllowed ? count + amount : count,
    recountedAt: at,
    ...(isAllowed && { reservedAt: at }),
  };
  const require = known ? { equal: { count: known.count } } : { exists: false };
  if (await updateIf(key, expressionsOf({ set: counted }, require))) return isAllowed;
  return await reserveCount(workspaceId, cap, amount);
}

/** The counts of kinds, in their order; 0 where nothing was counted. */
export async function findCounts(
  workspaceId: WorkspaceId,
  kinds: readonly (CountedKind | CappedKind)[],
): Promise<number[]> {
  const items = await getMany(kinds.map((kind) => counterKey(workspaceId, kind)));
  return items.map(countOf);
}

function countOf(item: Item | null | undefined): number {
  return item ? capCodec.decode(item).count : 0;
}

/** Takes resources from the count that were deleted, or were not created after all. */
export async function returnCount(workspaceId: WorkspaceId, kind: CappedKind, amount: number): Promise<void> {
  if (amount === 0) return;
  await updateIf(
    counterKey(workspaceId, kind),
    expressionsOf({ increment: { count: -amount } }, { exists: true }),
  );
}
