import { describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { workspace } from '../support/workspace.ts';

describe('a function killed by a fault', () => {
  it.each([
    ['kill-before', []],
    ['kill-after', ['Killed']],
  ])('ends in the middle of its work: %s', async (kind, names) => {
    const own = await workspace();
    const fault = { service: 'dynamodb', action: 'PutItem', match: own.id, kind };
    await cloud().control('POST', '/faults', fault);
    const killed = await api(own).post('/spaces', { name: 'Killed' });
    expect([killed.status, killed.body]).toEqual([500, { message: 'Internal Server Error' }]);
    const { body } = await api(own).get('/spaces');
    expect(body.data.map(({ name }) => name)).toEqual(names);
    expect((await api(own).post('/spaces', { name: 'Next' })).status).toBe(201);
  });
});
