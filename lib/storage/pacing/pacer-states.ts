/** The pacer of each workspace, a job: how far its tree is. */
import type { WorkspaceId } from '../../core/ids.ts';
import type { HeldPosition } from '../../core/pacing/held.ts';
import {
  type PacerChange,
  type PacerState,
  pacerTimes,
  type TreeProgress,
  unusedPacer,
} from '../../core/pacing/pacer.ts';
import type { QueueMessage } from '../../core/queue-messages.ts';
import type { JobState, JobStore } from '../../core/work/job.ts';
import { codec, type Field, nullable, number, sparseList, withDefault } from '../table/codec.ts';
import { setOrRemove } from '../table/expressions.ts';
import { decodeJob, jobStore, underLease } from '../table/jobs.ts';
import { pacerKey } from '../table/keys.ts';
import { get } from '../table/reads.ts';
import type { Item } from '../table/table.ts';
import { commitIfUnchanged, type Write } from '../table/transactions.ts';
import { positionField } from './pacing-fields.ts';

const sortedToField: Field<HeldPosition | ''> = {
  read: (stored) => (stored === '' ? '' : positionField.read(stored)),
  write: (value) => value,
};

const stateCodec = codec<Omit<PacerState, keyof JobState>>('pacer', {
  treeVersion: withDefault(number, 0),
  sortedTo: nullable(sortedToField),
  oldTrees: sparseList(number),
  held: withDefault(number, 0),
});

const decode = (item: Item | null): PacerState =>
  item ? { ...decodeJob(item), ...stateCodec.decode(item) } : unusedPacer;

export async function findPacer(workspaceId: WorkspaceId): Promise<PacerState> {
  return decode(await get(pacerKey(workspaceId)));
}

export function pacerStore(
  workspaceId: WorkspaceId,
  messageOf: (timer: number) => QueueMessage,
): JobStore<PacerState, PacerChange> {
  const { leaseMs } = pacerTimes;
  return jobStore({ workspaceId, key: pacerKey(workspaceId), leaseMs, decode }, messageOf);
}

/** Stores how far the tree is. False where the lease is lost. */
export async function saveTreeProgress(
  workspaceId: WorkspaceId,
  token: string,
  { treeVersion, sortedTo, oldTrees }: TreeProgress,
): Promise<boolean> {
  const { set, remove } = setOrRemove({ sortedTo });
  const change = { set: { treeVersion, oldTrees, ...set }, remove };
  return await commitIfUnchanged(workspaceId, [underLease(pacerKey(workspaceId), token, change)]);
}

/**
 * The write of what a commit of the tree changes of the pacer, named `job`: its condition fails where the lease is lost.
 *
 * @param progress.sortedTo stored with it; undefined: as it is
 * @param progress.held added to the number of held emails
 */
export function saveSorted(
  workspaceId: WorkspaceId,
  token: string,
  { sortedTo, held }: { readonly sortedTo?: PacerState['sortedTo'] | undefined; readonly held: number },
): Write {
  const change = sortedTo === undefined ? {} : setOrRemove({ sortedTo });
  return underLease(pacerKey(workspaceId), token, { ...change, ...(held !== 0 && { increment: { held } }) });
}
