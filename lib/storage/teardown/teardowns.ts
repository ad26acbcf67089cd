/**
 * Deletion of spaces and of whole workspaces, and how far the removal of their content is
 * (docs/decisions/0047-teardown-of-spaces.md).
 */

import { parseId, type WorkspaceId } from '../../core/ids.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import type { AuditEntry } from '../../core/workspaces/audit.ts';
import type { Space } from '../../core/workspaces/space.ts';
import { type Teardown, type TeardownScope, workspacePhases } from '../../core/workspaces/teardown.ts';
import type { Workspace } from '../../core/workspaces/workspace.ts';
import { codec, type Field, nullable, number, oneOf, sortKey, text } from '../table/codec.ts';
import { returnCount } from '../table/counters.ts';
import { expressionsOf } from '../table/expressions.ts';
import {
  deletedSpacesKey,
  externalIdKey,
  slugKey,
  spaceKey,
  teardownKey,
  workspaceKey,
  workspaceListKey,
} from '../table/keys.ts';
import { get } from '../table/reads.ts';
import { absent, ConditionFailed, commit, commitIfUnchanged, type Write } from '../table/transactions.ts';
import { addAuditEntry, addOperatorEntry } from '../workspaces/audit.ts';

/** Spaces of a workspace in teardown at the same time: their ids are read with every request. */
export const teardownsMax = 1000;

const scopeField: Field<TeardownScope> = {
  read: (stored) => parseId('spc', String(stored)) ?? oneOf(['workspace']).read(stored),
  write: (scope) => scope,
};

const teardownCodec = codec<Teardown>('teardown', {
  scope: sortKey(scopeField),
  deletedAt: number,
  step: number,
  phase: oneOf(workspacePhases),
  after: nullable(text),
  found: number,
});

/** Deletes a space with its external id; its content is no longer found from then on. The messages remove the content. @param others written with it */
export async function deleteSpace(
  workspaceId: WorkspaceId,
  { id: spaceId, externalId, updatedAt }: Space,
  teardown: Teardown,
  audit: AuditEntry,
  messages: readonly OutboxMessage[],
  others: readonly Write[] = [],
): Promise<'deleted' | 'conflict' | 'limit_reached'> {
  const writes: Write[] = [
    ...others,
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
    addAuditEntry(workspaceId, audit),
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

/**
 * Marks a workspace as erased: from then on nothing in it is found, and no key can be created. The messages remove what it
 * owns. False where it is gone or erased already.
 *
 * @param audit an entry of the deployment's audit log; that of the workspace goes with it
 */
export async function beginErasure(
  id: WorkspaceId,
  teardown: Teardown,
  audit: AuditEntry,
  messages: readonly OutboxMessage[],
): Promise<boolean> {
  const erased = { set: { erasedAt: teardown.deletedAt } };
  return await commitIfUnchanged(
    id,
    [
      {
        as: 'workspace',
        update: workspaceKey(id),
        ...expressionsOf(erased, { exists: true, absent: ['erasedAt'] }),
      },
      { as: 'list', update: workspaceListKey(id), ...expressionsOf(erased, { exists: true }) },
      { as: 'deleted spaces', update: deletedSpacesKey(id), ...expressionsOf({ set: { isErased: true } }) },
      {
        as: 'teardown',
        put: { ...teardownKey(id, 'workspace'), ...teardownCodec.encode(teardown) },
        ...absent,
      },
      addOperatorEntry(audit),
    ],
    messages,
  );
}

/** The teardown of a space or of the workspace; null where it is done, or has never begun. */
export async function findTeardown(workspaceId: WorkspaceId, scope: TeardownScope): Promise<Teardown | null> {
  const item = await get(teardownKey(workspaceId, scope));
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
  const put = { ...teardownKey(workspaceId, before.scope), ...teardownCodec.encode(after) };
  return await commitIfUnchanged(workspaceId, [{ as: 'teardown', put, ...isAt(before) }], messages);
}

/** Ends the teardown of a space: nothing of it is stored. False where another worker has. */
export async function endSpaceTeardown(workspaceId: WorkspaceId, before: Teardown): Promise<boolean> {
  const ended: Write = { as: 'teardown', delete: teardownKey(workspaceId, before.scope), ...isAt(before) };
  const key = deletedSpacesKey(workspaceId);
  const names = {
    ExpressionAttributeNames: { '#ids': 'ids', '#isErased': 'isErased' },
    ExpressionAttributeValues: { ':id': new Set([before.scope]) },
  };
  const oneOfSeveral: Write = {
    ...{ as: 'deleted spaces', update: key, UpdateExpression: 'DELETE #ids :id', ...names },
    ConditionExpression: '#ids <> :id OR attribute_exists(#isErased)',
  };
  const last: Write = {
    ...{ as: 'deleted spaces', delete: key, ...names },
    ConditionExpression: '#ids = :id AND attribute_not_exists(#isErased)',
  };
  // Another space may be deleted, or its teardown end, in between.
  for (const left of [last, oneOfSeveral, last]) {
    if (await commitIfUnchanged(workspaceId, [ended, left])) return true;
  }
  return false;
}

/** Ends the teardown of a workspace: it is gone, and its slug is free. False where another worker has. */
export async function endErasure(
  { id, slug }: Pick<Workspace, 'id' | 'slug'>,
  before: Teardown,
): Promise<boolean> {
  return await commitIfUnchanged(id, [
    { as: 'teardown', delete: teardownKey(id, 'workspace'), ...isAt(before) },
    { as: 'slug', delete: slugKey(slug) },
    { as: 'list', delete: workspaceListKey(id) },
    { as: 'deleted spaces', delete: deletedSpacesKey(id) },
    { as: 'workspace', delete: workspaceKey(id) },
  ]);
}
