/** Deletion of a space, and how far the removal of its content is (docs/decisions/0047-teardown-of-spaces.md). */
import type { SpaceId, WorkspaceId } from '../core/ids.ts';
import type { OutboxMessage } from '../core/queue-messages.ts';
import type { Space } from '../core/space.ts';
import { type Teardown, teardownPhases } from '../core/teardown.ts';
import { codec, id, nullable, number, oneOf, sortKey, text } from './codec.ts';
import { returnCount } from './counters.ts';
import { expressionsOf } from './expressions.ts';
import { deletedSpacesKey, externalIdKey, spaceKey, teardownKey } from './keys.ts';
import { get } from './table.ts';
import { absent, ConditionFailed, commit, commitIfUnchanged, type Write } from './transactions.ts';

/** Spaces of a workspace in teardown at the same time: their ids are read with every request. */
export const teardownsMax = 1000;

const teardownCodec = codec<Teardown>('teardown', {
  spaceId: sortKey(id('spc')),
  deletedAt: number,
  step: number,
  phase: oneOf(teardownPhases),
  after: nullable(text),
  found: number,
});

/** Deletes a space with its external id; its content is no longer found from then on. The messages remove the content. */
export async function deleteSpace(
  workspaceId: WorkspaceId,
  { id: spaceId, externalId, updatedAt }: Space,
  teardown: Teardown,
  messages: readonly OutboxMessage[],
): Promise<'deleted' | 'conflict' | 'limit_reached'> {
  const writes: Write[] = [
    { as: 'space', delete: spaceKey(workspaceId, spaceId), ...expressionsOf({}, { equal: { updatedAt } }) },
    ...(externalId === null
      ? []
      : [{ as: 'external id', delete: externalIdKey(workspaceId, externalId) } as const]),
    {
      as: 'teardown',
      put: { ...teardownKey(workspaceId, spaceId), ...teardownCodec.encode(teardown) },
      ...absent,
    },
    {
      as: 'deleted spaces',
      update: deletedSpacesKey(workspaceId),
      UpdateExpression: 'ADD #ids :id',
      ConditionExpression: 'attribute_not_exists(#ids) OR size(#ids) < :max',
      ExpressionAttributeNames: { '#ids': 'ids' },
      ExpressionAttributeValues: { ':id': new Set([spaceId]), ':max': teardownsMax },
    },
  ];
  try {
    await commit(workspaceId, writes, messages);
    await returnCount(workspaceId, 'spaces', 1);
    return 'deleted';
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return error.write === 'deleted spaces' ? 'limit_reached' : 'conflict';
  }
}

/** The teardown of a space; null where it is done, or the space was never deleted. */
export async function findTeardown(workspaceId: WorkspaceId, spaceId: SpaceId): Promise<Teardown | null> {
  const item = await get(teardownKey(workspaceId, spaceId));
  return item && teardownCodec.decode(item);
}

const isAt = ({ step }: Teardown) => expressionsOf({}, { equal: { step } });

/** Stores the progress of a teardown with its messages. False where another worker has: nothing was written. */
export async function updateTeardown(
  workspaceId: WorkspaceId,
  before: Teardown,
  after: Teardown,
  messages: readonly OutboxMessage[],
): Promise<boolean> {
  const put = { ...teardownKey(workspaceId, before.spaceId), ...teardownCodec.encode(after) };
  return await commitIfUnchanged(workspaceId, [{ as: 'teardown', put, ...isAt(before) }], messages);
}

/** Ends a teardown: nothing of the space is stored. False where another worker has. */
export async function endTeardown(workspaceId: WorkspaceId, before: Teardown): Promise<boolean> {
  const names = { '#ids': 'ids' };
  const isEnded = await commitIfUnchanged(workspaceId, [
    { as: 'teardown', delete: teardownKey(workspaceId, before.spaceId), ...isAt(before) },
    {
      as: 'deleted spaces',
      update: deletedSpacesKey(workspaceId),
      UpdateExpression: 'DELETE #ids :id',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ':id': new Set([before.spaceId]) },
    },
  ]);
  await commitIfUnchanged(workspaceId, [
    {
      as: 'deleted spaces',
      delete: deletedSpacesKey(workspaceId),
      ConditionExpression: 'attribute_not_exists(#ids)',
      ExpressionAttributeNames: names,
    },
  ]);
  return isEnded;
}
