/** Conditional writes whose response is lost (docs/decisions/0053-outbox-without-items.md). */
import type { BatchWriteItemCommandInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterEach, describe, expect, it } from 'vitest';
import { newId } from '../../../lib/adapters/ids.ts';
import { expressionsOf } from '../../../lib/storage/table/expressions.ts';
import { auditEntries } from '../../../lib/storage/table/keys.ts';
import { get } from '../../../lib/storage/table/reads.ts';
import { queryAll } from '../../../lib/storage/table/table.ts';
import { absent, ahead, ConditionFailed, commit } from '../../../lib/storage/table/transactions.ts';
import { clearFaults, inject } from '../../faults/kit.ts';
import { ownCalls } from '../../support/calls.ts';
import { interceptTable } from '../../support/table-calls.ts';

afterEach(clearFaults);

const newItem = () => {
  const workspaceId = newId('wks');
  return { workspaceId, key: { pk: auditEntries(workspaceId), sk: 'note' } };
};

describe('commit of one write', () => {
  it('is no transaction, and fails by name where its condition fails', async () => {
    const { workspaceId, key } = newItem();
    const write = { as: 'note', put: { ...key, text: 'first' }, ...absent };
    await inject({ action: 'TransactWriteItems', kind: 'error', match: workspaceId });
    await commit(workspaceId, [write]);
    await expect(commit(workspaceId, [write])).rejects.toThrow(ConditionFailed);
    await expect(commit(workspaceId, [write])).rejects.toMatchObject({ write: 'note' });
  });

  it('is done when the response of a creation was lost', async () => {
    const { workspaceId, key } = newItem();
    await inject({ action: 'PutItem', kind: 'timeout-after', match: workspaceId });
    await commit(workspaceId, [{ as: 'note', put: { ...key, text: 'first' }, ...absent }]);
    expect(await get(key)).toMatchObject({ text: 'first' });
  });

  it.each([
    ['sets', { set: { text: 'second' } }, 'second'],
    ['removes', { remove: ['text'] }, undefined],
  ])('is done when the response of a change that %s was lost', async (_, change, after) => {
    const { workspaceId, key } = newItem();
    await commit(workspaceId, [{ as: 'note', put: { ...key, text: 'first' } }]);
    const expressions = expressionsOf(change, { equal: { text: 'first' } });
    await inject({ action: 'UpdateItem', kind: 'timeout-after', match: workspaceId });
    await commit(workspaceId, [{ as: 'note', update: key, ...expressions }]);
    expect((await get(key))?.text).toBe(after);
    await expect(commit(workspaceId, [{ as: 'note', update: key, ...expressions }])).rejects.toThrow(
      ConditionFailed,
    );
  });
});

/** The first batch of writes leaves its first item unprocessed, as one whose partition is throttled. */
async function leavingUnprocessed<T>(flow: () => Promise<T>): Promise<T> {
  let hasLeft = false;
  return await interceptTable(async (input: BatchWriteItemCommandInput, send) => {
    const [[table = '', [first, ...others] = []] = []] = Object.entries(input.RequestItems ?? {});
    if (hasLeft || !first?.PutRequest?.Item) return await send(input);
    hasLeft = true;
    const output = await send({ ...input, RequestItems: { [table]: others } });
    const left = { PutRequest: { Item: unmarshall(first.PutRequest.Item) } };
    return { ...output, UnprocessedItems: { [table]: [left] } };
  }, flow);
}

describe('puts ahead of a transaction', () => {
  const newWrites = () => {
    const { workspaceId, key } = newItem();
    const entries = ['a', 'b'].map((sk) => ({ as: 'entry', put: { ...key, sk }, ...ahead }));
    const held = { as: 'held', put: { ...key, sk: 'held' }, ...absent, ...ahead };
    return { workspaceId, key, writes: [...entries, held, { as: 'note', put: { ...key } }] };
  };

  it('are one call beside those with a condition', async () => {
    const { workspaceId, writes } = newWrites();
    const calls = await ownCalls(() => commit(workspaceId, writes));
    expect(calls).toEqual(['BatchWriteItem', 'PutItem', 'PutItem']);
  });

  it('are made again where DynamoDB leaves them unprocessed', async () => {
    const { workspaceId, key, writes } = newWrites();
    const calls = await leavingUnprocessed(() => ownCalls(() => commit(workspaceId, writes)));
    expect(calls).toEqual(['BatchWriteItem', 'BatchWriteItem', 'PutItem', 'PutItem']);
    expect((await queryAll(key.pk)).map(({ sk }) => sk)).toEqual(['a', 'b', 'held', 'note']);
  });

  it('are there before it, and stay where it fails or a condition does', async () => {
    const { workspaceId, key } = newItem();
    const entry = { as: 'entry', put: { ...key, sk: 'entry', text: 'first' }, ...ahead };
    const writes = [
      { as: 'note', put: { ...key, text: 'first' }, ...absent },
      { as: 'other', put: { ...key, sk: 'other' } },
      entry,
    ];
    await inject({ action: 'TransactWriteItems', kind: 'error', status: 400, code: 'X', match: workspaceId });
    await expect(commit(workspaceId, writes)).rejects.toThrow();
    expect(await get({ ...key, sk: 'entry' })).toMatchObject({ text: 'first' });
    expect(await get(key)).toBeNull();
    await commit(workspaceId, writes);
    const again = writes.map((write) =>
      write === entry ? { ...entry, put: { ...entry.put, text: 'second' } } : write,
    );
    await expect(commit(workspaceId, again)).rejects.toMatchObject({ write: 'note' });
    expect(await get({ ...key, sk: 'entry' })).toMatchObject({ text: 'second' });
    expect(await get({ ...key, sk: 'entry' })).not.toHaveProperty('isAhead');
  });

  it('leave the rest to one write where only one is left', async () => {
    const { workspaceId, key } = newItem();
    await inject({ action: 'TransactWriteItems', kind: 'error', match: workspaceId });
    const entry = { as: 'entry', put: { ...key, sk: 'entry' }, ...ahead };
    await commit(workspaceId, [entry, { as: 'note', put: { ...key }, ...absent }]);
    expect(await get(key)).toMatchObject({ sk: 'note' });
  });
});
