/** Leases on items: one worker at a time works on what an item stands for. The item has these attributes beside its own. */
import { nullable, number, text } from './codec.ts';
import { type Change, type Expressions, expressionsOf, withCondition } from './expressions.ts';
import type { Key } from './keys.ts';
import { type Item, updateIf } from './table.ts';

export interface Lease {
  readonly token: string;
  /** Unix milliseconds. */
  readonly until: number;
}

export interface StoredLease {
  readonly leaseToken: string | null;
  readonly leaseUntil: number | null;
}

export const leaseFields = {
  leaseToken: nullable(text),
  leaseUntil: nullable(number),
};

export function leaseOf({ leaseToken: token, leaseUntil: until }: StoredLease): Lease | null {
  return token === null || until === null ? null : { token, until };
}

/** What requires the lease, for an update or a transaction. */
export const holdsLease = (token: string) => ({ equal: { leaseToken: token } });

const isFree = 'attribute_not_exists(#leaseToken) OR #leaseUntil <= :now';

/** The condition that nobody has the lease, for a write that replaces the item. */
export const unlessLeased = (nowMs: number): Expressions => ({
  ConditionExpression: isFree,
  ExpressionAttributeNames: { '#leaseToken': 'leaseToken', '#leaseUntil': 'leaseUntil' },
  ExpressionAttributeValues: { ':now': nowMs },
});

/**
 * Takes the lease where it is free or has expired; the item, or null where another worker has the lease.
 *
 * @param options.mustExist null is returned for a missing item, too; else it is created
 * @param options.remove attributes that the new lease removes
 */
export async function acquireLease(
  key: Key,
  { token, until }: Lease,
  nowMs: number,
  { mustExist, remove = [] }: { readonly mustExist: boolean; readonly remove?: readonly string[] },
): Promise<Item | null> {
  const taken = expressionsOf({ set: { leaseToken: token, leaseUntil: until }, remove });
  const condition = {
    ConditionExpression: mustExist ? `attribute_exists(pk) AND (${isFree})` : isFree,
    ExpressionAttributeNames: {},
    ExpressionAttributeValues: { ':now': nowMs },
  };
  return await updateIf(key, withCondition(taken, condition));
}

/** Changes the item under the lease. False where it is lost: nothing was written. */
export async function updateUnderLease(key: Key, token: string, change: Change): Promise<boolean> {
  return (await updateIf(key, expressionsOf(change, holdsLease(token)))) !== null;
}

/** Releases the lease with a change of the item. False where it is lost: nothing was written. */
export async function releaseLease(key: Key, token: string, change: Change): Promise<boolean> {
  const remove = [...(change.remove ?? []), ...Object.keys(leaseFields)];
  return await updateUnderLease(key, token, { ...change, remove });
}
