/** One more than each call of DynamoDB takes ("Quotas in Amazon DynamoDB"). */
import { describe, expect, it } from 'vitest';
import { newId } from '../../../lib/adapters/ids.ts';
import { putObject } from '../../../lib/adapters/objects.ts';
import type { WorkspaceId } from '../../../lib/core/ids.ts';
import { sweepJobs } from '../../../lib/services/jobs/sweep-jobs.ts';
import { contentPrefix } from '../../../lib/storage/emails/email-content.ts';
import { listOverdueTimers } from '../../../lib/storage/table/jobs.ts';
import { auditEntries, mailboxSyncKey, timerKey, timerShards } from '../../../lib/storage/table/keys.ts';
import { getMany } from '../../../lib/storage/table/reads.ts';
import { countAll, put, putMany, queryAll, removeAll } from '../../../lib/storage/table/table.ts';
import { shardOf } from '../../../lib/storage/table/time-index.ts';
import { commit } from '../../../lib/storage/table/transactions.ts';
import { removeObjects } from '../../../lib/storage/teardown/teardown-workspace.ts';
import { holdSweep } from '../../faults/kit.ts';
import { ownCalls } from '../../support/calls.ts';

const sortKey = (at: number) => String(at).padStart(4, '0');

function items(count: number, attributes: object = {}) {
  const pk = auditEntries(newId('wks'));
  return { pk, all: Array.from({ length: count }, (_, at) => ({ pk, sk: sortKey(at), ...attributes })) };
}

describe('a batch with one more than a call takes', () => {
  it('is put and removed whole, 25 items a call', async () => {
    const { pk, all } = items(26);
    expect(await ownCalls(() => putMany(all))).toEqual(['BatchWriteItem', 'BatchWriteItem']);
    expect(await countAll(pk)).toBe(26);
    await removeAll(all);
    expect(await countAll(pk)).toBe(0);
  });

  it('is read whole, 100 keys a call', async () => {
    const { all } = items(101);
    await putMany(all);
    let found: readonly unknown[] = [];
    const calls = await ownCalls(async () => {
      found = await getMany(all);
    });
    expect(calls).toEqual(['BatchGetItem', 'BatchGetItem']);
    expect(found).toEqual(all);
  });

  it('is listed and counted whole, 1 MB a page', async () => {
    const { pk, all } = items(27, { text: 'x'.repeat(40_000) });
    await putMany(all);
    expect((await queryAll(pk)).map(({ sk }) => sk)).toEqual(all.map(({ sk }) => sk));
    expect(await countAll(pk)).toBe(27);
  });
});

describe('a transaction', () => {
  const message = { kind: 'pace-mail', v: 1, wakeAt: null } as const;
  const puts = (workspaceId: WorkspaceId, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      as: 'item',
      put: { pk: auditEntries(workspaceId), sk: sortKey(at) },
    }));

  it('takes 99 writes beside its messages, and is refused whole with one more', async () => {
    const [fits, over] = [newId('wks'), newId('wks')];
    const messages = (workspaceId: WorkspaceId) => [{ message: { ...message, workspaceId } }];
    await commit(fits, puts(fits, 99), messages(fits));
    expect(await countAll(auditEntries(fits))).toBe(99);
    await expect(commit(over, puts(over, 100), messages(over))).rejects.toThrow();
    expect(await countAll(auditEntries(over))).toBe(0);
  });
});

describe('work of several runs', () => {
  it('is finished by the next run of the sweep, 50 timers of a shard a run', async () => {
    // The sweep of each minute would remove timers in between.
    await holdSweep();
    const workspaceId = newId('wks');
    const { pk, sk } = mailboxSyncKey(workspaceId, newId('mbx'));
    const sync = { kind: 'pace-mail', v: 1, workspaceId, wakeAt: null } as const;
    const outbox = JSON.stringify({ id: 'id', messages: [{ message: sync }] });
    for (let at = 1000; at < 1051; at++)
      await put({ ...timerKey(shardOf(pk, timerShards), at, `${pk}#${sk}`), outbox });
    const left = async () =>
      (await listOverdueTimers(2000, 100)).filter((timer) => timer.workspaceId === workspaceId);
    await sweepJobs();
    expect((await left()).map(({ at }) => at)).toEqual([1050]);
    await sweepJobs();
    expect(await left()).toEqual([]);
  });

  it('is finished by the next step of an erasure, 50 objects a step', async () => {
    const workspaceId = newId('wks');
    const prefix = contentPrefix(workspaceId);
    for (let at = 0; at < 51; at++) {
      await putObject({ ...prefix, key: `${prefix.key}${sortKey(at)}` }, Buffer.from('x'), 'text/plain');
    }
    const steps = [
      await removeObjects(workspaceId),
      await removeObjects(workspaceId),
      await removeObjects(workspaceId),
    ];
    expect(steps).toEqual([50, 1, 0]);
  });
});
