/** As many suppressions as one request may create. */
import { describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { workspace } from '../support/workspace.ts';

describe('suppressions', () => {
  it('are created up to 1,000 at once', async () => {
    const client = api(await workspace());
    const addresses = Array.from({ length: 1000 }, (_, at) => `r${at}@example.test`);
    const made = await client.post<{ data: { address: string }[] }>('/suppressions', { addresses });
    expect(made.status).toBe(201);
    expect(made.body.data.map(({ address }) => address)).toEqual(addresses);
    const more = await client.post('/suppressions', { addresses: [...addresses, 'x@example.test'] });
    expect(more.status).toBe(422);
    expect((await client.post('/suppressions', { addresses: [] })).status).toBe(422);
  });
});
