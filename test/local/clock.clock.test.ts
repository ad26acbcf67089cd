import { describe, expect, it } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { workspace } from '../support/workspace.ts';

describe('the clock of a cloud', () => {
  it('moves for functions and for this thread', async () => {
    const own = await workspace();
    const before = now();
    await cloud().advance(3600);
    const { body } = await api(own).post('/spaces', { name: 'Later' });
    const createdAt = Date.parse(String(body.created_at));
    expect(Math.abs(createdAt - now())).toBeLessThan(5_000);
    expect(createdAt - before).toBeGreaterThan(3_599_000);
  });
});
