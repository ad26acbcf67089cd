/** The store of the dispatch states of endpoints. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../../lib/adapters/ids.ts';
import { planUnits } from '../../../lib/core/webhooks/dispatch.ts';
import { newHealth } from '../../../lib/core/webhooks/health.ts';
import { endpointStateKey } from '../../../lib/storage/table/keys.ts';
import { get } from '../../../lib/storage/table/reads.ts';
import * as states from '../../../lib/storage/webhooks/endpoint-states.ts';

const at = 1_700_000_000_000;
const health = { ...newHealth, succeededAt: at };

/** A healthy endpoint. */
async function endpoint() {
  const of = { workspaceId: newId('wks'), endpointId: newId('whk') };
  const find = () => states.findEndpointState(of.workspaceId, of.endpointId);
  const take = async (token: string, wanted = 10, nowMs = at, maxConcurrency = 128) => {
    const before = await find();
    const plan = planUnits(before, { wanted, maxConcurrency }, nowMs);
    if (!plan) throw new Error('no unit is free');
    const taken = { token, plan, until: nowMs + 60_000, before };
    return { taken, ...(await states.takeUnits(of, taken, [])) };
  };
  const give = async (token: string, units: number, change: object = {}) =>
    states.returnUnits(of, { token, units, before: await find(), ...change }, []);
  await take('first', 1);
  await give('first', 1, { health });
  return { of, find, take, give };
}

describe('units of an endpoint', () => {
  it('are taken and returned once, however often the call is repeated', async () => {
    const { of, find, take, give } = await endpoint();
    const { taken, isDone, state } = await take('one', 3);
    expect([isDone, state.inUse]).toEqual([true, 3]);
    const again = await states.takeUnits(of, taken, []);
    expect([again.isDone, again.state.inUse, again.state.holders.has('one')]).toEqual([false, 3, true]);
    expect((await give('one', 3)).state.inUse).toBe(0);
    expect((await give('one', 3)).isDone).toBe(false);
    expect(await find()).toMatchObject({ inUse: 0, health });
  });

  it('are not taken by two workers at once when only one can have them', async () => {
    const { of, find } = await endpoint();
    const before = await find();
    const plan = planUnits(before, { wanted: 2, maxConcurrency: 3 }, at);
    if (!plan) throw new Error('no unit is free');
    const results = await Promise.all(
      ['one', 'two'].map((token) => states.takeUnits(of, { token, plan, until: at + 1, before }, [])),
    );
    expect(results.filter(({ isDone }) => isDone)).toHaveLength(1);
    expect((await find()).inUse).toBe(2);
  });

  it('of a holder that has ended are taken, and it cannot return them', async () => {
    const { find, take, give } = await endpoint();
    await take('dead', 10, at, 10);
    const { isDone, state } = await take('next', 10, at + 60_000, 10);
    expect([isDone, state.inUse, [...state.holders.keys()]]).toEqual([true, 10, ['next']]);
    expect((await give('dead', 10)).isDone).toBe(false);
    expect((await find()).inUse).toBe(10);
  });

  it('of as many dead holders as an endpoint may have are taken by one update', async () => {
    const { find, take } = await endpoint();
    for (let n = 0; n < 128; n++) await take(`${n}`.padStart(12, 'a'), 1);
    expect((await find()).holders.size).toBe(128);
    const { isDone, state } = await take('next', 10, at + 60_000);
    expect([isDone, state.inUse, [...state.holders.keys()]]).toEqual([true, 10, ['next']]);
  });

  it('are neither taken nor returned by a worker that has not seen a change of the health', async () => {
    const { of, find, take, give } = await endpoint();
    await take('one');
    const before = await find();
    await take('two');
    await give('two', 10, { health: { ...health, failures: 1 } });
    const returned = { token: 'one', units: 10, before };
    expect((await states.returnUnits(of, returned, [])).isDone).toBe(false);
    expect((await give('one', 10)).isDone).toBe(true);
  });

  it('of 13 workers keep the item below 1 KB, which an update costs a unit for', async () => {
    const { of, take } = await endpoint();
    for (let n = 0; n < 13; n++) await take(`${n}`.padStart(12, 'a'), 9);
    await states.markBacklog(of);
    const item = (await get(endpointStateKey(of.workspaceId, of.endpointId))) ?? {};
    // More than DynamoDB counts: it stores numbers in about half of their digits.
    expect(JSON.stringify(item).length).toBeLessThan(1024);
  });
});

describe('the mark of a backlog', () => {
  it('is not removed when another delivery has begun to wait', async () => {
    const { of, find } = await endpoint();
    const seen = await states.markBacklog(of);
    const later = await states.markBacklog(of);
    expect(await states.clearBacklog(of, seen, undefined)).toBe(false);
    expect(await states.clearBacklog(of, later, undefined)).toBe(true);
    expect((await find()).backlog).toBeNull();
  });

  it('is not removed by a worker that saw one before which another has removed since', async () => {
    const { of, find } = await endpoint();
    const seen = await states.markBacklog(of);
    expect(await states.clearBacklog(of, seen, undefined)).toBe(true);
    await states.markBacklog(of);
    expect(await states.clearBacklog(of, seen, undefined)).toBe(false);
    expect((await find()).backlog).not.toBeNull();
  });
});
