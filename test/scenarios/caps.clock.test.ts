/** The cap on spaces, when its counter is wrong (docs/concepts/limits.md#domains-spaces-and-keys). */
import { expect, it } from 'vitest';
import { limits } from '../../lib/core/limits.ts';
import { reserveCount } from '../../lib/storage/table/counters.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { workspace } from '../support/workspace.ts';

it('counts the stored spaces again when a function has left the counter too high', async () => {
  const ours = await workspace();
  const client = api(ours);
  await reserveCount(ours.id, { kind: 'spaces', max: limits.spaces, recount: null }, limits.spaces);
  expect(await client.post('/spaces', { name: 'One' })).toMatchObject({ status: 409 });
  await cloud().advance(120);
  expect(await client.post('/spaces', { name: 'Two' })).toMatchObject({ status: 201 });
});
