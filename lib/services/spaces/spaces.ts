/** Spaces: groups of a workspace's resources by customer (docs/concepts/spaces.md). */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import type { SpaceId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Page, Paging } from '../../core/page.ts';
import { Problem } from '../../core/problems.ts';
import type { Space } from '../../core/workspaces/space.ts';
import * as store from '../../storage/workspaces/spaces.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';

const externalIdTaken = () =>
  new Problem('external_id_taken', 'Another space of this workspace has that external_id.');

/** @throws Problem external_id_taken, limit_reached */
export async function createSpace(
  workspaceId: WorkspaceId,
  input: { readonly name: string; readonly externalId: string | null },
): Promise<Space> {
  const at = now();
  const space: Space = { id: newId('spc'), ...input, createdAt: at, updatedAt: at };
  const outcome = await store.createSpace(workspaceId, space);
  if (outcome === 'external_id_taken') throw externalIdTaken();
  if (outcome === 'limit_reached') {
    throw new Problem('limit_reached', `A workspace has at most ${limits.spaces} spaces.`);
  }
  return space;
}

/** @throws Problem not_found */
export async function getSpace(workspaceId: WorkspaceId, id: SpaceId): Promise<Space> {
  const space = await store.findSpace(workspaceId, id);
  if (!space) throw new Problem('not_found', 'There is no such space.');
  return space;
}

/** Checks the `space` filter of a list. @throws Problem not_found for the id of a space that does not exist */
export async function checkSpaceFilter(
  workspaceId: WorkspaceId,
  space: SpaceId | null | undefined,
): Promise<void> {
  if (space) await getSpace(workspaceId, space);
}

/** A page of spaces, oldest first. @param externalId only the space with this external id */
export async function listSpaces(
  workspaceId: WorkspaceId,
  externalId: string | undefined,
  paging: Paging,
): Promise<Page<Space>> {
  if (externalId === undefined) return await store.listSpaces(workspaceId, paging);
  const space = await store.findSpaceByExternalId(workspaceId, externalId);
  return { items: space ? [space] : [], next: null };
}

/**
 * Changes the properties that `change` names.
 *
 * @throws Problem not_found, external_id_taken
 */
export async function updateSpace(
  workspaceId: WorkspaceId,
  id: SpaceId,
  change: { readonly name?: string | undefined; readonly externalId?: string | null | undefined },
): Promise<Space> {
  return await retryOnConflict(`space ${id}`, async () => {
    const before = await getSpace(workspaceId, id);
    const after: Space = {
      ...before,
      name: change.name ?? before.name,
      externalId: change.externalId === undefined ? before.externalId : change.externalId,
      // The version of the record, too: it always grows.
      updatedAt: Math.max(now(), before.updatedAt + 1),
    };
    const outcome = await store.updateSpace(workspaceId, before, after);
    if (outcome === 'external_id_taken') throw externalIdTaken();
    return outcome === 'updated' ? after : conflict;
  });
}
