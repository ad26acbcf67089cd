/** The pacer of each workspace: its lease, its timer, and how far its tree is. */
import type { WorkspaceId } from '../core/ids.ts';
import type { HeldPosition } from '../core/pacing/held.ts';
import { type PacerState, pacerTimes, type TreeProgress, unusedPacer } from '../core/pacing/pacer.ts';
import { codec, type Field, nullable, number, sparseList, withDefault } from './codec.ts';
import { expressionsOf, setOrRemove } from './expressions.ts';
import { pacerKey } from './keys.ts';
import {
  acquireLease,
  askAgain,
  clearAgain,
  holdsLease,
  leaseFields,
  leaseOf,
  releaseLease,
  type StoredLease,
  updateUnderLease,
} from './leases.ts';
import { positionField } from './pacing-fields.ts';
import { get } from './reads.ts';
import type { Item } from './table.ts';
import type { Write } from './transactions.ts';

const sortedToField: Field<HeldPosition | ''> = {
  read: (stored) => (stored === '' ? '' : positionField.read(stored)),
  write: (value) => value,
};

type StoredState = Omit<PacerState, 'lease'> & StoredLease;

const stateCodec = codec<StoredState>('pacer', {
  ...leaseFields,
  wakeAt: nullable(number),
  treeVersion: withDefault(number, 0),
  sortedTo: nullable(sortedToField),
  oldTrees: sparseList(number),
  held: withDefault(number, 0),
});

function decode(item: Item | null): PacerState {
  if (!item) return unusedPacer;
  const { leaseToken, leaseUntil, ...state } = stateCodec.decode(item);
  return { ...state, lease: leaseOf({ leaseToken, leaseUntil }) };
}

export async function findPacer(workspaceId: WorkspaceId): Promise<PacerState> {
  return decode(await get(pacerKey(workspaceId)));
}

/** Takes the lease where it is free or has expired; null where another worker has it. */
export async function acquirePacer(
  workspaceId: WorkspaceId,
  token: string,
  nowMs: number,
): Promise<PacerState | null> {
  const item = await acquireLease(pacerKey(workspaceId), { token, until: nowMs + pacerTimes.leaseMs }, nowMs);
  return item && decode(item);
}

/** Asks the holder of the lease to look again before it releases it. False where it has it no longer. */
export async function askPacerAgain(workspaceId: WorkspaceId, token: string): Promise<boolean> {
  return await askAgain(pacerKey(workspaceId), token);
}

/** Before the holder looks again: what asks from now on is not answered yet. False where the lease is lost. */
export async function clearPacerAgain(workspaceId: WorkspaceId, token: string): Promise<boolean> {
  return await clearAgain(pacerKey(workspaceId), token);
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
  options: { readonly isHandedOver: boolean },
): Promise<boolean> {
  const { set, remove } = setOrRemove({ wakeAt });
  const isEmpty = wakeAt === null && !options.isHandedOver;
  const change = { set: { ...set, ...(isEmpty && { held: 0 }) }, remove };
  return await releaseLease(pacerKey(workspaceId), token, change, options);
}

/** Stores how far the tree is. False where the lease is lost. */
export async function saveTreeProgress(
  workspaceId: WorkspaceId,
  token: string,
  { treeVersion, sortedTo, oldTrees }: TreeProgress,
): Promise<boolean> {
  const { set, remove } = setOrRemove({ sortedTo });
  const change = { set: { treeVersion, oldTrees, ...set }, remove };
  return await updateUnderLease(pacerKey(workspaceId), token, change);
}

/**
 * The write that requires the lease, named `lease`.
 *
 * @param progress.sortedTo stored with it; undefined: as it is
 * @param progress.held added to the number of held emails
 */
export function underLease(
  workspaceId: WorkspaceId,
  token: string,
  { sortedTo, held }: { readonly sortedTo?: PacerState['sortedTo'] | undefined; readonly held: number },
): Write {
  const key = pacerKey(workspaceId);
  if (sortedTo === undefined && held === 0)
    return { as: 'lease', check: key, ...expressionsOf({}, holdsLease(token)) };
  const change = { ...(sortedTo !== undefined && setOrRemove({ sortedTo })), increment: { held } };
  return { as: 'lease', update: key, ...expressionsOf(change, holdsLease(token)) };
}
