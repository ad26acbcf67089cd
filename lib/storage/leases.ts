/**
 * Leases on items: one worker at a time works on what an item stands for, and others ask it to look again. The item has the
 * attributes of `leaseFields` beside its own.
 */
import { nullable, number, sparseFlag, text } from './codec.ts';
import {
  type Change,
  type Condition,
  type Expressions,
  expressionsOf,
  withCondition,
} from './expressions.ts';
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
  again: sparseFlag,
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
 * Takes the lease where it is free or has expired, with a change of the item; the item, or null where another worker has
 * the lease.
 *
 * @param options.mustExist null is returned for a missing item, too; default: it is created
 */
export async function acquireLease(
  key: Key,
  lease: Lease,
  nowMs: number,
  change: Change = {},
  { mustExist = false }: { readonly mustExist?: boolean } = {},
): Promise<Item | null> {
  const required = mustExist ? { ConditionExpression: 'attribute_exists(pk)' } : null;
  return await updateIf(key, leaseTaken(lease, nowMs, change, { required, over: null }));
}

function leaseTaken(
  { token, until }: Lease,
  nowMs: number,
  change: Change,
  { required, over }: { readonly required: Condition | null; readonly over: Condition | null },
): Expressions {
  const taken = expressionsOf({
    ...change,
    set: { ...change.set, leaseToken: token, leaseUntil: until },
    remove: [...(change.remove ?? []), 'again'],
  });
  const mayTake = over ? `${isFree} OR ${over.ConditionExpression}` : isFree;
  return withCondition(taken, {
    ConditionExpression: required ? `${required.ConditionExpression} AND (${mayTake})` : mayTake,
    ExpressionAttributeNames: { ...required?.ExpressionAttributeNames, ...over?.ExpressionAttributeNames },
    ExpressionAttributeValues: {
      ...required?.ExpressionAttributeValues,
      ...over?.ExpressionAttributeValues,
      ':now': nowMs,
    },
  });
}

/** Changes the item under the lease. False where it is lost: nothing was written. */
export async function updateUnderLease(key: Key, token: string, change: Change): Promise<boolean> {
  return (await updateIf(key, expressionsOf(change, holdsLease(token)))) !== null;
}

/** Asks the holder of the lease to look again before it releases it. False where it holds it no longer. */
export async function askAgain(key: Key, token: string): Promise<boolean> {
  return await updateUnderLease(key, token, { set: { again: true } });
}

/** Before the holder looks again: what asks from now on is not answered yet. False where the lease is lost. */
export async function clearAgain(key: Key, token: string): Promise<boolean> {
  return await updateUnderLease(key, token, { remove: ['again'] });
}

/**
 * Releases the lease with a change of the item. False where it is lost, or the holder was asked to look again meanwhile:
 * nothing was written.
 *
 * @param options.isHandedOver a message for another worker follows: what was asked is left to it
 */
export async function releaseLease(
  key: Key,
  token: string,
  change: Change,
  { isHandedOver }: { readonly isHandedOver: boolean },
): Promise<boolean> {
  const released = expressionsOf(
    { ...change, remove: [...(change.remove ?? []), 'leaseToken', 'leaseUntil', 'again'] },
    holdsLease(token),
  );
  const unasked = `${released.ConditionExpression} AND attribute_not_exists(#again)`;
  const input = isHandedOver ? released : withCondition(released, { ConditionExpression: unasked });
  return (await updateIf(key, input)) !== null;
}
