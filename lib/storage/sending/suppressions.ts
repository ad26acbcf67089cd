/** Suppressions: one item for each address, key and space, found by these three in one batch. */
import { now } from '../../adapters/clock.ts';
import { composeId, idTime, type SpaceId, type SuppressionId, type WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Page, Paging } from '../../core/page.ts';
import {
  erasedAddress,
  type Suppression,
  type SuppressionInput,
  type SuppressionReason,
} from '../../core/suppressions/suppression.ts';
import type { TeardownScope } from '../../core/workspaces/teardown.ts';
import { addressKey } from '../../mail/addresses/addresses.ts';
import { inBatches } from '../table/batches.ts';
import { type Cap, countReturned, reserveCount, returnCount } from '../table/counters.ts';
import { type Expressions, expressionsOf, withCondition } from '../table/expressions.ts';
import * as keys from '../table/keys.ts';
import { listFiltered, listPage } from '../table/paging.ts';
import { get, getMany } from '../table/reads.ts';
import { updateIf } from '../table/table.ts';
import { commit, commitIfUnchanged, type Write } from '../table/transactions.ts';
import { unlessDeleted, withoutDeleted } from '../workspaces/deleted-spaces.ts';
import { hasId, suppressionCodec } from './suppression-checks.ts';

/**
 * The upsert of a suppression. It never narrows: scope `all` stays, and a fact (bounce, complaint) is not replaced by a
 * request.
 */
function upsert(
  workspaceId: WorkspaceId,
  input: SuppressionInput,
): { readonly id: SuppressionId; readonly key: keys.Key; readonly update: Expressions } {
  const createdAt = now();
  const { address, key, spaceId, scope, note } = input;
  const tail = keys.suppressionTail(spaceId, key, addressKey(address));
  const id = composeId('sup', createdAt, tail);
  const isFact = input.reason === 'bounce' || input.reason === 'complaint';
  const cause = { reason: input.reason, sourceEmailId: input.sourceEmailId };
  return {
    id,
    key: keys.suppressionKey(workspaceId, tail),
    update: expressionsOf({
      set: {
        g1pk: keys.suppressions(workspaceId),
        ...(scope === 'all' && { scope }),
        ...(isFact && cause),
        note: note ?? undefined,
      },
      setOnce: {
        id,
        g1sk: id,
        address,
        key,
        spaceId,
        createdAt,
        blocks: 0,
        ...(scope === 'optional' && { scope }),
        ...(!isFact && cause),
      },
    }),
  };
}

/** The write that suppresses an address, named `suppression`. */
export function suppress(workspaceId: WorkspaceId, input: SuppressionInput): Write {
  const { key, update } = upsert(workspaceId, input);
  return { as: 'suppression', update: key, ...update };
}

/** As `suppress`; its condition fails where the suppression exists with the same or a wider scope. */
export function suppressIfAbsent(workspaceId: WorkspaceId, input: SuppressionInput): Write {
  const { key, update } = upsert(workspaceId, input);
  const condition =
    input.scope === 'optional'
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: 'attribute_not_exists(pk) OR #scope = :optional',
          ExpressionAttributeValues: { ':optional': 'optional' },
        };
  return { as: 'suppression', update: key, ...withCondition(update, condition) };
}

/** Deleted suppressions that a report has confirmed stay counted. */
const isCounted = ({ reason }: Suppression): boolean => reason === 'manual';
const cap: Cap = { kind: 'suppressions', max: limits.suppressions, recount: null };

/** Writes of a transaction (`commit`). */
const writesMax = 99;
/** Few, so that none waits for the others until the client gives it up. */
const transactionsAtOnce = 4;

/** Whether a call has got no answer in time: of what is safe to repeat, it is repeated. */
async function timedOut(call: Promise<void>): Promise<boolean> {
  try {
    await call;
    return false;
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return true;
    throw error;
  }
}

/**
 * Suppresses addresses by request; returns the suppressions as stored, in the order of the addresses. Null where the
 * workspace would have more than `limits.suppressions` of them: nothing was written. Where it throws, some may be suppressed;
 * the same request again suppresses the others.
 */
export async function suppressAll(
  workspaceId: WorkspaceId,
  addresses: readonly string[],
  input: Omit<SuppressionInput, 'address'>,
): Promise<Suppression[] | null> {
  const distinct = new Map(addresses.map((address) => [addressKey(address), address]));
  if (!(await reserveCount(workspaceId, cap, distinct.size))) return null;
  const upserts = [...distinct].map(([comparable, address]) => ({
    comparable,
    ...upsert(workspaceId, { ...input, address }),
  }));
  const stored = new Map<string, Suppression>();
  let created = 0;
  // A call for each address would take several times as long: what a call costs the function is more than the wait for the table.
  const write = async (batch: readonly (typeof upserts)[number][]) => {
    const writes = batch.map(({ key, update }) => ({ as: 'suppression', update: key, ...update }));
    await commit(workspaceId, writes);
    const items = await getMany(batch.map(({ key }) => key));
    for (const [at, { comparable, id }] of batch.entries()) {
      const item = items[at];
      if (!item) continue;
      const suppression = suppressionCodec.decode(item);
      stored.set(comparable, suppression);
      if (suppression.id === id) created += 1;
    }
  };
  try {
    await inBatches(
      upserts,
      writesMax,
      async (batch) => ((await timedOut(write(batch))) ? batch : []),
      transactionsAtOnce,
    );
  } finally {
    await returnCount(workspaceId, cap.kind, distinct.size - created);
  }
  return addresses.flatMap((address) => stored.get(addressKey(address)) ?? []);
}

/** A suppression of the workspace, or null. */
export async function findSuppression(
  workspaceId: WorkspaceId,
  id: SuppressionId,
): Promise<Suppression | null> {
  const reading = get(keys.suppressionKeyOfId(workspaceId, id));
  const suppression = await unlessDeleted(
    workspaceId,
    reading.then((item) => item && suppressionCodec.decode(item)),
  );
  return suppression?.id === id ? suppression : null;
}

/** Deletes a suppression, effective with the next send. False where there is none. */
export async function deleteSuppression(workspaceId: WorkspaceId, id: SuppressionId): Promise<boolean> {
  const found = await findSuppression(workspaceId, id);
  if (!found) return false;
  const key = keys.suppressionKeyOfId(workspaceId, id);
  const isDone = await commitIfUnchanged(workspaceId, [
    { as: 'suppression', delete: key, ...expressionsOf({}, hasId(id)) },
  ]);
  if (isDone && isCounted(found)) await returnCount(workspaceId, cap.kind, 1);
  return isDone;
}

/** A page of the suppressions of a space, also of a deleted one, or of the workspace. Reads those of all spaces. */
export async function listSuppressionsToRemove(
  workspaceId: WorkspaceId,
  scope: TeardownScope,
  paging: Paging,
): Promise<Page<Suppression>> {
  const input = { pk: keys.suppressions(workspaceId), index: 'GSI1', order: 'oldest first' } as const;
  const page = await listFiltered(
    { ...input, ...paging },
    (item) => scope === 'workspace' || suppressionCodec.decode(item).spaceId === scope,
  );
  return { items: page.items.map(suppressionCodec.decode), next: page.next };
}

/** Suppressions that one transaction removes, with their count. */
const removedInOne = 50;

/** Removes suppressions, and takes each from the count once. Idempotent. */
export async function removeSuppressions(
  workspaceId: WorkspaceId,
  suppressions: readonly Suppression[],
): Promise<void> {
  for (let start = 0; start < suppressions.length; start += removedInOne) {
    const some = suppressions.slice(start, start + removedInOne);
    if (await removeCounted(workspaceId, some)) continue;
    // Another worker, or a request, has removed one of them.
    for (const one of some) await removeCounted(workspaceId, [one]);
  }
}

/** False where one of them is gone: nothing was removed. */
async function removeCounted(
  workspaceId: WorkspaceId,
  suppressions: readonly Suppression[],
): Promise<boolean> {
  const counted = suppressions.filter(isCounted).length;
  return await commitIfUnchanged(workspaceId, [
    ...suppressions.map(({ id }) => ({
      as: 'suppression',
      delete: keys.suppressionKeyOfId(workspaceId, id),
      ...expressionsOf({}, hasId(id)),
    })),
    ...(counted > 0 ? [countReturned(workspaceId, cap.kind, counted)] : []),
  ]);
}

/** Whether a suppression is of an address; of one that was erased, its hash tells. */
export function isOfAddress({ id, spaceId, key, address }: Suppression, other: string): boolean {
  if (address !== erasedAddress) return addressKey(address) === addressKey(other);
  return id === composeId('sup', idTime(id), keys.suppressionTail(spaceId, key, addressKey(other)));
}

/** Keeps a suppression without its address and note: sends find it by its hash still. */
export async function eraseAddress(workspaceId: WorkspaceId, { id }: Suppression): Promise<void> {
  const change = { set: { address: erasedAddress }, remove: ['note'] };
  await updateIf(keys.suppressionKeyOfId(workspaceId, id), expressionsOf(change, hasId(id)));
}

/** Removes the note of a suppression. */
export async function eraseNote(workspaceId: WorkspaceId, { id }: Suppression): Promise<void> {
  const change = { remove: ['note'] };
  await updateIf(keys.suppressionKeyOfId(workspaceId, id), expressionsOf(change, hasId(id)));
}

export interface SuppressionFilter {
  /** undefined: every space. */
  readonly space?: SpaceId | null | undefined;
  readonly key?: string | undefined;
  readonly reason?: SuppressionReason | undefined;
  /** Part of an address, in any case and in either form of an international domain; of an erased one, all of it. */
  readonly address?: string | undefined;
}

/** A page of suppressions, newest first. With a filter it may end early; see `listFiltered`. The caller checks a given space. */
export async function listSuppressions(
  workspaceId: WorkspaceId,
  filter: SuppressionFilter,
  paging: Paging,
): Promise<Page<Suppression>> {
  if (filter.space !== undefined) return await listKept(workspaceId, filter, paging, null);
  return await withoutDeleted(workspaceId, (isKept) => listKept(workspaceId, filter, paging, isKept));
}

async function listKept(
  workspaceId: WorkspaceId,
  filter: SuppressionFilter,
  paging: Paging,
  isKept: ((suppression: Suppression) => boolean) | null,
): Promise<Page<Suppression>> {
  const input = {
    pk: keys.suppressions(workspaceId),
    index: 'GSI1' as const,
    order: 'newest first' as const,
    ...paging,
  };
  const isFiltered = isKept !== null || Object.values(filter).some((given) => given !== undefined);
  const passes = (suppression: Suppression) =>
    passesFilter(suppression, filter) && (isKept?.(suppression) ?? true);
  const page = isFiltered
    ? await listFiltered(input, (item) => passes(suppressionCodec.decode(item)))
    : await listPage(input);
  return { items: page.items.map(suppressionCodec.decode), next: page.next };
}

function passesFilter(suppression: Suppression, filter: SuppressionFilter): boolean {
  const { space, key, reason, address } = filter;
  if (space !== undefined && suppression.spaceId !== space) return false;
  if (key !== undefined && suppression.key !== key) return false;
  if (reason !== undefined && suppression.reason !== reason) return false;
  if (address === undefined) return true;
  if (suppression.address === erasedAddress) return isOfAddress(suppression, address);
  const comparable = addressKey(suppression.address);
  return comparable.includes(address.toLowerCase()) || comparable.includes(addressKey(address));
}
