/** The request budget of workspaces, through the API. */
import { describe, expect, it } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import type { BudgetLimits } from '../../lib/core/access/request-budget.ts';
import { env } from '../../lib/env.ts';
import { changeBudget } from '../../lib/services/admission/change-budget.ts';
import {
  admitRequest,
  findRequestBudget,
  setBudgetLimits,
} from '../../lib/storage/workspaces/request-budgets.ts';
import { api } from '../support/api.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

/** Refills slower than a test runs. */
const small: BudgetLimits = { unitsPerSecond: 0.1, capacity: 20, inFlight: 20 };

async function workspaceWith(limits: BudgetLimits): Promise<TestWorkspace> {
  const created = await workspace();
  await setBudgetLimits(created.id, limits);
  return created;
}

const left = (headers: Readonly<Record<string, string>>) => Number(headers['ratelimit-remaining']);

describe('the request budget', () => {
  it('is shown by successes and failures, and not by 401 and 403', async () => {
    const ws = await workspaceWith(small);
    const ok = await api(ws).get('/spaces');
    expect(ok.headers).toMatchObject({
      'ratelimit-limit': '20',
      'ratelimit-remaining': '19',
      'ratelimit-reset': '10',
    });
    const missing = await api(ws).get(`/spaces/${newId('spc')}`);
    expect(missing.status).toBe(404);
    // Half of the budget, for a request that names a space.
    expect(missing.headers).toMatchObject({ 'ratelimit-limit': '10', 'ratelimit-remaining': '9' });
    const invalid = await api(ws).post('/spaces', { nonsense: true });
    expect([invalid.status, left(invalid.headers)]).toEqual([422, 17]);
    for (const refused of [
      await api('pk_wrong').get('/spaces'),
      await api(await ws.keyOf('read')).post('/spaces', {}),
    ]) {
      expect([401, 403]).toContain(refused.status);
      expect(Object.keys(refused.headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
    }
  });

  it('costs 5 units for a search and 10 for a new domain', async () => {
    const ws = await workspaceWith(small);
    expect(left((await api(ws).get('/emails?query=lunch')).headers)).toBe(15);
    expect(left((await api(ws).post('/domains', { name: 'no domain' })).headers)).toBe(5);
  });

  it('refuses with 429 and Retry-After when it is spent, for this workspace only', async () => {
    const [ws, other] = [await workspaceWith({ ...small, capacity: 2 }), await workspaceWith(small)];
    const statuses = [];
    for (let at = 0; at < 4; at++) statuses.push((await api(ws).get('/spaces')).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    const refused = await api(ws).get('/spaces');
    expect(refused.body.code).toBe('too_many_requests');
    expect(refused.body.detail).toBe(
      'The request budget of the workspace is spent: 2 units, 0.1 more each second. The operator raises it with ' +
        '`npm run admin -- workspace limits --workspace SLUG --capacity N --units-per-second N`.',
    );
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(10);
    expect(refused.headers).toMatchObject({ 'ratelimit-remaining': '0' });
    expect((await api(other).get('/spaces')).status).toBe(200);
  });

  it('holds requests that name a space to half, and leaves the rest to others', async () => {
    const ws = await workspaceWith({ ...small, capacity: 4 });
    const path = `/spaces/${newId('spc')}`;
    const statuses = [];
    for (let at = 0; at < 3; at++) statuses.push((await api(ws).get(path)).status);
    expect(statuses).toEqual([404, 404, 429]);
    expect((await api(ws).get('/spaces')).status).toBe(200);
  });

  it('admits no more than the capacity when 200 clients call at the same time', async () => {
    // No unit comes while they run, however long.
    const ws = await workspaceWith({ ...small, unitsPerSecond: 0.0001, inFlight: 1000 });
    const answers = await Promise.all(Array.from({ length: 200 }, () => api(ws).get('/spaces')));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(180);
  });

  it('has the limits that the operator sets for the workspace, then those of the deployment', async () => {
    const ws = await workspace();
    expect(await changeBudget(ws.id, { capacity: 7 })).toEqual({ ...env().REQUEST_BUDGET, capacity: 7 });
    expect((await api(ws).get('/spaces')).headers).toMatchObject({ 'ratelimit-limit': '7' });
    expect(await changeBudget(ws.id, null)).toEqual(env().REQUEST_BUDGET);
    expect((await api(ws).get('/spaces')).headers).toMatchObject({
      'ratelimit-limit': String(env().REQUEST_BUDGET.capacity),
    });
  });

  it('keeps nothing in flight after requests that end, whatever their status, when a quarter of the limit is less than one', async () => {
    const ws = await workspaceWith({ ...small, capacity: 1000, inFlight: 3 });
    await Promise.all([api(ws).get('/spaces'), api(ws).post('/spaces', {}), api(ws).get('/emails?limit=0')]);
    const { workspace: bucket, leases } = await findRequestBudget(ws.id);
    expect([bucket.inFlight, leases]).toEqual([0, []]);
  });

  it('keeps at most a quarter of the limit in flight after requests that end', async () => {
    const ws = await workspaceWith({ ...small, capacity: 1000 });
    const requests = ['/spaces', '/emails', '/threads', '/domains', '/emails?limit=0', '/api-keys'].flatMap(
      (path) => [path, path, path],
    );
    const answers = await Promise.all(requests.map((path) => api(ws).get(path)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
    const { workspace: bucket, leases } = await findRequestBudget(ws.id);
    expect(bucket.inFlight).toBeLessThanOrEqual(5);
    expect(leases).toHaveLength(bucket.inFlight);
  });

  it('takes back the units in flight of a request that never ended', async () => {
    const ws = await workspaceWith({ ...small, inFlight: 1 });
    const lease = { units: 1, namesSpace: false };
    const request = { ...lease, id: 'crashed', until: now() + 60_000 };
    const known = await findRequestBudget(ws.id);
    await admitRequest(ws.id, known, lease, { lease: request }, now());
    const busy = await api(ws).get('/spaces');
    expect([busy.status, busy.headers['retry-after']]).toEqual([429, '1']);

    const ended = await workspaceWith({ ...small, inFlight: 1 });
    const expired = { ...request, until: now() };
    await admitRequest(ended.id, await findRequestBudget(ended.id), lease, { lease: expired }, now());
    expect((await api(ended).get('/spaces')).status).toBe(200);
  });
});
