/**
 * Deleted spaces whose content is being removed: from the deletion on, nothing in them is found
 * (docs/decisions/0047-teardown-of-spaces.md). Of an erased workspace nothing is found at all.
 */

import type { SpaceId, WorkspaceId } from '../../core/ids.ts';
import type { Page } from '../../core/page.ts';
import { allDone } from '../../core/work/all-done.ts';
import { codec, id, setOf, sparseFlag } from '../table/codec.ts';
import { deletedSpacesKey, type Key } from '../table/keys.ts';
import { get, getMany } from '../table/reads.ts';
import type { Item } from '../table/table.ts';

export interface DeletedSpaces {
  readonly ids: ReadonlySet<SpaceId>;
  /** The workspace itself is erased, with all its spaces. */
  readonly isErased: boolean;
}

export const nothingDeleted: DeletedSpaces = { ids: new Set(), isErased: false };

const deletedSpacesCodec = codec<DeletedSpaces>('deleted spaces', {
  ids: setOf(id('spc')),
  isErased: sparseFlag,
});

function decodeDeletedSpaces(item: Item | null | undefined): DeletedSpaces {
  return item ? deletedSpacesCodec.decode(item) : nothingDeleted;
}

/** The deleted spaces of a workspace whose content may still be stored. Consistent. */
export async function findDeletedSpaces(workspaceId: WorkspaceId): Promise<DeletedSpaces> {
  return decodeDeletedSpaces(await get(deletedSpacesKey(workspaceId)));
}

/** The same of several workspaces, in one batch. */
export async function findDeletedSpacesOf(
  workspaceIds: readonly WorkspaceId[],
): Promise<ReadonlyMap<WorkspaceId, DeletedSpaces>> {
  const items = await getMany(workspaceIds.map(deletedSpacesKey));
  return new Map(workspaceIds.map((workspaceId, at) => [workspaceId, decodeDeletedSpaces(items[at])]));
}

/** Whether nothing is deleted: no record needs to be looked at. */
export function isNothingDeleted({ ids, isErased }: DeletedSpaces): boolean {
  return ids.size === 0 && !isErased;
}

export function isDeleted({ ids, isErased }: DeletedSpaces, spaceId: SpaceId | null): boolean {
  return isErased || (spaceId !== null && ids.has(spaceId));
}

/** The record that `reading` finds; null where its space is deleted. Both are read at the same time. */
export async function unlessDeleted<T extends { readonly spaceId: SpaceId | null }>(
  workspaceId: WorkspaceId,
  reading: Promise<T | null>,
): Promise<T | null> {
  const [found, deleted] = await Promise.all([reading, findDeletedSpaces(workspaceId)]);
  return found && !isDeleted(deleted, found.spaceId) ? found : null;
}

/** The records under keys, in their order, without missing ones and those of deleted spaces. One call. */
export async function findKept<T extends { readonly spaceId: SpaceId | null }>(
  workspaceId: WorkspaceId,
  keys: readonly Key[],
  decode: (item: Item) => T,
): Promise<T[]> {
  if (keys.length === 0) return [];
  const [deleted, items] = await allDone([findDeletedSpaces(workspaceId), getMany(keys)]);
  const found = items.flatMap((item) => (item ? [decode(item)] : []));
  return found.filter(({ spaceId }) => !isDeleted(deleted, spaceId));
}

/**
 * A page without records of deleted spaces. The page is read at the same time as the deleted spaces, and a second time
 * where it has such a record.
 *
 * @param list reads the page; `isKept` is null where nothing is to be left out
 */
export async function withoutDeleted<T extends { readonly spaceId: SpaceId | null }, P>(
  workspaceId: WorkspaceId,
  list: (isKept: ((record: T) => boolean) | null) => Promise<Page<T, P>>,
): Promise<Page<T, P>> {
  const [page, deleted] = await Promise.all([list(null), findDeletedSpaces(workspaceId)]);
  const isKept = ({ spaceId }: T) => !isDeleted(deleted, spaceId);
  return page.items.every(isKept) ? page : await list(isKept);
}
