/** Writes that conflict with a transaction: real back-offs. */
import { afterEach, describe, expect, it } from 'vitest';
import { newId } from '../../../lib/adapters/ids.ts';
import { RecordContended } from '../../../lib/core/work/table-busy.ts';
import { auditEntries } from '../../../lib/storage/table/keys.ts';
import { get } from '../../../lib/storage/table/reads.ts';
import { absent, commit } from '../../../lib/storage/table/transactions.ts';
import { clearFaults, inject } from '../../faults/kit.ts';
import { cloud } from '../../support/cloud.ts';

afterEach(clearFaults);

const newItem = () => {
  const workspaceId = newId('wks');
  return { workspaceId, key: { pk: auditEntries(workspaceId), sk: 'note' } };
};

describe('a write that conflicts with a transaction', () => {
  it.each([
    ['PutItem', 'TransactionConflictException'],
    ['TransactWriteItems', 'TransactionInProgressException'],
  ])('is tried again: %s with %s', async (action, code) => {
    const { workspaceId, key } = newItem();
    const write = { as: 'note', put: { ...key, text: 'first' }, ...absent };
    const other = { as: 'other', put: { ...key, sk: 'other' } };
    await inject({ action, kind: 'error', status: 400, code, match: workspaceId, times: 2 });
    await commit(workspaceId, action === 'PutItem' ? [write] : [write, other]);
    expect(await get(key)).toMatchObject({ text: 'first' });
    expect((await cloud().control<{ data: unknown[] }>('GET', '/faults')).data).toEqual([]);
  });

  it.each([
    ['PutItem', 'TransactionConflictException'],
    ['TransactWriteItems', 'TransactionCanceledException'],
  ])('throws RecordContended in the end: %s with %s', async (action, code) => {
    const { workspaceId, key } = newItem();
    const write = { as: 'note', put: { ...key, text: 'first' }, ...absent };
    const other = { as: 'other', put: { ...key, sk: 'other' } };
    await inject({ action, kind: 'error', status: 400, code, match: workspaceId, times: 100 });
    await expect(commit(workspaceId, action === 'PutItem' ? [write] : [write, other])).rejects.toThrow(
      RecordContended,
    );
  });
});
