/**
 * Counters of resources of which a workspace has a limited number (docs/decisions/0044-counted-limits.md). The counter of
 * a small limit changes in the transaction of the resource; a large one is a cap, which is reserved before it.
 */
import { now } from '../adapters/clock.ts';
import type { WorkspaceId } from '../core/ids.ts';
import { codec, number, withDefault } from './codec.ts';
import { expressionsOf, withCondition } from './expressions.ts';
import { counterKey } from './keys.ts';
import { get } from './reads.ts';
import { updateIf, updateOr } from './table.ts';
import type { Write } from './transactions.ts';

export type CountedKind = 'endpoints' | 'api-keys' | 'pacing-rules' | 'oauth-apps';

const counterCodec = codec<{ readonly count: number }>('counter', { count: number });

/**
 * The number of resources of a kind. Those of release 0.1.0 have no counter: `recount` counts them.
 *
 * @param recount counts the stored resources, consistently
 */
export async function countOf(
  workspaceId: WorkspaceId,
  kind: CountedKind,
  recount: () => Promise<number>,
): Promise<number> {
  const item = await get(counterKey(workspaceId, kind));
  return item ? counterCodec.decode(item).count : await recount();
}

/**
 * The write that counts a new resource, named `counter`; its condition fails at `max`.
 *
 * @param before the result of `countOf`, from which a counter begins that does not exist yet: every change creates it, so that
 *   this number is the true one until then
 */
export function countCreated(
  workspaceId: WorkspaceId,
  kind: CountedKind,
  before: number,
  max: number,
): Write {
  return {
    ...countChanged(workspaceId, kind, before, 1, { ':max': max }),
    ConditionExpression: 'attribute_not_exists(#count) OR #count < :max',
  };
}

/** The write that counts a deleted resource. @param before as for `countCreated` */
export function countDeleted(workspaceId: WorkspaceId, kind: CountedKind, before: number): Write {
  return countChanged(workspaceId, kind, before, -1);
}

function countChanged(
  workspaceId: WorkspaceId,
  kind: CountedKind,
  before: number,
  by: number,
  values: Readonly<Record<string, number>> = {},
) {
  return {
    as: 'counter',
    update: counterKey(workspaceId, kind),
    UpdateExpression: 'SET #count = if_not_exists(#count, :before) + :by',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':before': before, ':by': by, ...values },
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

/** Takes resources from the count that were deleted, or were not created after all. */
export async function returnCount(workspaceId: WorkspaceId, kind: CappedKind, amount: number): Promise<void> {
  if (amount === 0) return;
  await updateIf(
    counterKey(workspaceId, kind),
    expressionsOf({ increment: { count: -amount } }, { exists: true }),
  );
}
