/** A job in the table: who has it, and its timer. The orders of workers are in `test/scripts/jobs`. */
import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import { sweepJobs } from '../../../lib/services/jobs/sweep-jobs.ts';
import { paceMailMessage } from '../../../lib/services/pacing/pace-mail-message.ts';
import { pacerStore } from '../../../lib/storage/pacing/pacer-states.ts';
import { pacerKey, timerKey, timerShards } from '../../../lib/storage/table/keys.ts';
import { get } from '../../../lib/storage/table/reads.ts';
import { put } from '../../../lib/storage/table/table.ts';
import { shardOf } from '../../../lib/storage/table/time-index.ts';
import { holdSweep } from '../../faults/kit.ts';
import { cloud } from '../../support/cloud.ts';

/** A job that nobody has, in the workspace of nobody. */
function newJob() {
  const workspaceId = newId('wks');
  const key = pacerKey(workspaceId);
  const messageOf = (timer: number) => paceMailMessage(workspaceId, timer);
  const entryAt = (at: number) => timerKey(shardOf(key.pk, timerShards), at, `${key.pk}#${key.sk}`);
  return { key, messageOf, entryAt, store: pacerStore(workspaceId, messageOf) };
}

const left = { set: {}, unlessAsked: true };
const timers = (before: number | null, after: number | null) => ({ ...left, timer: { before, after } });

describe('a job', () => {
  it('has one worker, and another one once the lease has expired or was ended', async () => {
    const { key, store } = newJob();
    expect(await store.take('one')).toMatchObject({ lease: { token: 'one' }, again: false });
    expect(await store.take('two')).toBeNull();
    await put({ ...key, leaseToken: 'one', leaseUntil: now() });
    expect(await store.take('two')).toMatchObject({ lease: { token: 'two' } });
    await store.fail('one');
    expect(await store.take('three')).toBeNull();
    await store.fail('two');
    expect(await store.take('three')).toMatchObject({ lease: { token: 'three' } });
    expect(await store.leave('three', timers(null, null))).toBe(true);
    expect(await store.find()).toMatchObject({ lease: null, wakeAt: null });
  });

  it('is left only where nobody has asked to look again, unless that is left to the next turn', async () => {
    const { store } = newJob();
    await store.take('one');
    expect(await store.askAgain('two')).toBe(false);
    expect(await store.askAgain('one')).toBe(true);
    expect(await store.leave('one', timers(null, null))).toBe(false);
    expect(await store.clearAgain('one')).toBe(true);
    expect(await store.askAgain('one')).toBe(true);
    expect(await store.leave('one', { ...timers(null, null), unlessAsked: false })).toBe(true);
    expect(await store.find()).toMatchObject({ lease: null, again: false });
  });

  it('has its timer, with the message, in the index as long as its state names it', async () => {
    const { messageOf, entryAt, store } = newJob();
    // Ahead of every sweep.
    const [first, second] = [now() + 86_400_000, now() + 86_400_001];
    await store.take('one');
    expect(await store.leave('one', timers(null, first))).toBe(true);
    const stored = await get(entryAt(first));
    expect(JSON.parse(String(stored?.outbox))).toEqual({
      id: expect.any(String),
      messages: [{ message: messageOf(first), dueAt: first }],
    });
    await store.take('two');
    expect(await store.leave('two', timers(first, first))).toBe(true);
    expect(await get(entryAt(first))).toEqual(stored);
    await store.take('three');
    expect(await store.leave('lost', timers(first, second))).toBe(false);
    expect([await get(entryAt(first)), await get(entryAt(second))]).toEqual([stored, null]);
    expect(await store.leave('three', timers(first, second))).toBe(true);
    expect(await store.find()).toMatchObject({ wakeAt: second });
    expect(await get(entryAt(first))).toBeNull();
    await store.take('four');
    expect(await store.leave('four', timers(second, null))).toBe(true);
    expect(await get(entryAt(second))).toBeNull();
  });
});

describe('the sweep of jobs', () => {
  it('calls a worker where a timer was lost', async () => {
    const { key, messageOf, entryAt, store } = newJob();
    // The sweep of each minute would find the timer before the job waits for it, and remove it.
    await holdSweep();
    const at = now() - 6 * 60_000;
    const outbox = JSON.stringify({ id: 'id', messages: [{ message: messageOf(at), dueAt: at }] });
    await put({ ...entryAt(at), outbox });
    // The job does not wait for the message yet.
    await cloud().waitForQuiescence();
    expect(await get(entryAt(at))).not.toBeNull();
    await put({ ...key, wakeAt: at });
    await sweepJobs();
    await cloud().waitForQuiescence();
    expect(await store.find()).toMatchObject({ lease: null, wakeAt: null });
    expect(await get(entryAt(at))).toBeNull();
  });

  it('removes the timer of a job that is gone', async () => {
    const { messageOf, entryAt } = newJob();
    const at = now() - 6 * 60_000;
    const outbox = JSON.stringify({ id: 'id', messages: [{ message: messageOf(at), dueAt: at }] });
    await put({ ...entryAt(at), outbox });
    await sweepJobs();
    expect(await get(entryAt(at))).toBeNull();
    await cloud().waitForQuiescence();
  });
});
