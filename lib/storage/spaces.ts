/** Spaces: a workspace's grouping of domains, mail and rules by customer. */
import { now } from '../adapters/clock.ts';
import { newId } from '../adapters/ids.ts';
import type { SpaceId, WorkspaceId } from '../core/ids.ts';
import { Problem } from '../core/problems.ts';
import { externalIdKey, spaceKey, spaces } from './keys.ts';
import { listPage, type Page } from './paging.ts';
import { absent, ConditionFailed, get, type Item, transact, type Write } from './table.ts';

export interface Space {
  readonly id: SpaceId;
  readonly name: string;
  readonly externalId: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

function space(item: Item): Space {
  return {
    id: item.sk as SpaceId,
    name: item.name as string,
    externalId: (item.externalId as string | undefined) ?? null,
    createdAt: item.createdAt as number,
    updatedAt: item.updatedAt as number,
  };
}

const notFound = () => new Problem('not_found', 'There is no such space.');
const taken = (cause: unknown) =>
  new Problem('external_id_taken', 'Another space of this workspace has that external_id.', { cause });

/** @throws Problem external_id_taken */
export async function createSpace(
  workspaceId: WorkspaceId,
  input: { name: string; externalId: string | null },
): Promise<Space> {
  const at = now();
  const id = newId('spc');
  try {
    await transact([
      {
        as: 'space',
        put: {
          ...spaceKey(workspaceId, id),
          name: input.name,
          externalId: input.externalId,
          createdAt: at,
          updatedAt: at,
        },
      },
      ...claimExternalId(workspaceId, id, input.externalId),
    ]);
  } catch (error) {
    if (error instanceof ConditionFailed) throw taken(error);
    throw error;
  }
  return { id, ...input, createdAt: at, updatedAt: at };
}

function claimExternalId(workspaceId: WorkspaceId, id: SpaceId, externalId: string | null): Write[] {
  if (externalId === null) return [];
  return [{ as: 'external id', put: { ...externalIdKey(workspaceId, externalId), spaceId: id }, ...absent }];
}

/** @throws Problem not_found */
export async function getSpace(workspaceId: WorkspaceId, id: SpaceId): Promise<Space> {
  const item = await get(spaceKey(workspaceId, id));
  if (!item) throw notFound();
  return space(item);
}

/** The one space with that external id, or null. */
export async function findSpaceByExternalId(
  workspaceId: WorkspaceId,
  externalId: string,
): Promise<Space | null> {
  const claim = await get(externalIdKey(workspaceId, externalId));
  if (!claim) return null;
  const item = await get(spaceKey(workspaceId, claim.spaceId as SpaceId));
  return item ? space(item) : null;
}

/** A page of spaces, oldest first. */
export async function listSpaces(
  workspaceId: WorkspaceId,
  paging: { limit: number; after: string | null },
): Promise<Page<Space>> {
  const page = await listPage({ pk: spaces(workspaceId), order: 'oldest first', ...paging });
  return { items: page.items.map(space), next: page.next };
}

const raceTriesMax = 5;

/**
 * Changes what `change` names. The old external id is given free in the same transaction that takes the new one.
 *
 * @throws Problem not_found, external_id_taken
 */
export async function updateSpace(
  workspaceId: WorkspaceId,
  id: SpaceId,
  change: { name?: string | undefined; externalId?: string | null | undefined },
): Promise<Space> {
  for (let tries = 1; ; tries++) {
    const before = await getSpace(workspaceId, id);
    const after: Space = {
      ...before,
      name: change.name ?? before.name,
      externalId: change.externalId === undefined ? before.externalId : change.externalId,
      updatedAt: Math.max(now(), before.updatedAt + 1),
    };
    const moved = after.externalId !== before.externalId;
    try {
      await transact([
        {
          as: 'space',
          update: spaceKey(workspaceId, id),
          UpdateExpression: 'SET #name = :name, externalId = :externalId, updatedAt = :at',
          ConditionExpression: 'updatedAt = :before',
          ExpressionAttributeNames: { '#name': 'name' },
          ExpressionAttributeValues: {
            ':name': after.name,
            ':externalId': after.externalId,
            ':at': after.updatedAt,
            ':before': before.updatedAt,
          },
        },
        ...(moved ? claimExternalId(workspaceId, id, after.externalId) : []),
        ...(moved && before.externalId !== null
          ? [{ as: 'old external id', delete: externalIdKey(workspaceId, before.externalId) }]
          : []),
      ]);
      return after;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.write === 'external id') throw taken(error);
      // Another update came between the read and the write: look again.
      if (tries === raceTriesMax) throw error;
    }
  }
}
