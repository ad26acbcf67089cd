/** Spaces of a workspace, and the claims on their external ids. */
import type { SpaceId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Page, Paging } from '../../core/page.ts';
import type { Space } from '../../core/workspaces/space.ts';
import { codec, id, nullable, number, sortKey, text } from '../table/codec.ts';
import { type Cap, reserveCount, returnCount } from '../table/counters.ts';
import { expressionsOf } from '../table/expressions.ts';
import { externalIdKey, spaceKey, spaces } from '../table/keys.ts';
import { listPage } from '../table/paging.ts';
import { get } from '../table/reads.ts';
import { countAll } from '../table/table.ts';
import { absent, ConditionFailed, commit, type Write } from '../table/transactions.ts';

const spaceCodec = codec<Space>('space', {
  id: sortKey(id('spc')),
  name: text,
  externalId: nullable(text),
  createdAt: number,
  updatedAt: number,
});

const externalIdCodec = codec<{ readonly spaceId: SpaceId }>('external id', { spaceId: id('spc') });

const capOf = (workspaceId: WorkspaceId): Cap => ({
  kind: 'spaces',
  max: limits.spaces,
  recount: () => countAll(spaces(workspaceId)),
});

/** Stores a new space; nothing is written unless the outcome is `created`. */
export async function createSpace(
  workspaceId: WorkspaceId,
  space: Space,
): Promise<'created' | 'external_id_taken' | 'limit_reached'> {
  if (!(await reserveCount(workspaceId, capOf(workspaceId), 1))) return 'limit_reached';
  try {
    await commit(workspaceId, [
      { as: 'space', put: { ...spaceKey(workspaceId, space.id), ...spaceCodec.encode(space) } },
      ...claimExternalId(workspaceId, space),
    ]);
    return 'created';
  } catch (error) {
    await returnCount(workspaceId, 'spaces', 1);
    if (error instanceof ConditionFailed) return 'external_id_taken';
    throw error;
  }
}

function claimExternalId(workspaceId: WorkspaceId, { id: spaceId, externalId }: Space): Write[] {
  if (externalId === null) return [];
  const item = { ...externalIdKey(workspaceId, externalId), ...externalIdCodec.encode({ spaceId }) };
  return [{ as: 'external id', put: item, ...absent }];
}

/** A space of the workspace, or null. */
export async function findSpace(workspaceId: WorkspaceId, id: SpaceId): Promise<Space | null> {
  const item = await get(spaceKey(workspaceId, id));
  return item && spaceCodec.decode(item);
}

/** The space with that external id, or null. */
export async function findSpaceByExternalId(
  workspaceId: WorkspaceId,
  externalId: string,
): Promise<Space | null> {
  const claim = await get(externalIdKey(workspaceId, externalId));
  return claim && (await findSpace(workspaceId, externalIdCodec.decode(claim).spaceId));
}

/** A page of spaces, oldest first. */
export async function listSpaces(workspaceId: WorkspaceId, paging: Paging): Promise<Page<Space>> {
  const page = await listPage({ pk: spaces(workspaceId), order: 'oldest first', ...paging });
  return { items: page.items.map(spaceCodec.decode), next: page.next };
}

/** Stores a change of a space. The transaction that takes the new external id releases the old one. */
export async function updateSpace(
  workspaceId: WorkspaceId,
  before: Space,
  after: Space,
): Promise<'updated' | 'external_id_taken' | 'conflict'> {
  const { name, externalId, updatedAt } = after;
  const isMoved = externalId !== before.externalId;
  try {
    await commit(workspaceId, [
      {
        as: 'space',
        update: spaceKey(workspaceId, before.id),
        ...expressionsOf(
          { set: { name, externalId, updatedAt } },
          { equal: { updatedAt: before.updatedAt } },
        ),
      },
      ...(isMoved ? claimExternalId(workspaceId, after) : []),
      ...(isMoved && before.externalId !== null
        ? [{ as: 'old external id', delete: externalIdKey(workspaceId, before.externalId) }]
        : []),
    ]);
    return 'updated';
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return error.write === 'external id' ? 'external_id_taken' : 'conflict';
  }
}
