/** The pacer of each workspace, a task: how far its tree is. */
import type { WorkspaceId } from '../core/ids.ts';
import type { HeldPosition } from '../core/pacing/held.ts';
import {
  type PacerChange,
  type PacerState,
  pacerTimes,
  type TreeProgress,
  unusedPacer,
} from '../core/pacing/pacer.ts';
import type { QueueMessage } from '../core/queue-messages.ts';
import type { TaskState, TaskStore } from '../core/task.ts';
import { codec, type Field, nullable, number, sparseList, withDefault } from './codec.ts';
import { expressionsOf, setOrRemove } from './expressions.ts';
import { pacerKey } from './keys.ts';
import { holdsLease, updateUnderLease } from './leases.ts';
import { positionField } from './pacing-fields.ts';
import { get } from './reads.ts';
import type { Item } from './table.ts';
import { decodeTask, taskStore } from './tasks.ts';
import type { Write } from './transactions.ts';

const sortedToField: Field<HeldPosition | ''> = {
  read: (stored) => (stored === '' ? '' : positionField.read(stored)),
  write: (value) => value,
};

const stateCodec = codec<Omit<PacerState, keyof TaskState>>('pacer', {
  treeVersion: withDefault(number, 0),
  sortedTo: nullable(sortedToField),
  oldTrees: sparseList(number),
  held: withDefault(number, 0),
});

const decode = (item: Item | null): PacerState =>
  item ? { ...decodeTask(item), ...stateCodec.decode(item) } : unusedPacer;

export async function findPacer(workspaceId: WorkspaceId): Promise<PacerState> {
  return decode(await get(pacerKey(workspaceId)));
}

export function pacerStore(
  workspaceId: WorkspaceId,
  messageOf: (timer: number) => QueueMessage,
): TaskStore<PacerState, PacerChange> {
  const { leaseMs } = pacerTimes;
  return taskStore({ workspaceId, key: pacerKey(workspaceId), leaseMs, decode }, messageOf);
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
