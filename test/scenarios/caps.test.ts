/** Caps on domains, spaces and suppressions (docs/concepts/limits.md#domains-spaces-and-keys). */
import { beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../lib/core/limits.ts';
import { type CappedKind, reserveCount } from '../../lib/storage/table/counters.ts';
import { type Api, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

/** Mailboxes are connected, not created: `test/scenarios/mailboxes`. */
type CreatedKind = Exclude<CappedKind, 'mailboxes'>;

const creations: Record<CreatedKind, { path: string; body: (at: number) => object }> = {
  domains: { path: '/domains', body: (at) => ({ name: `d${at}.caps.example` }) },
  spaces: { path: '/spaces', body: (at) => ({ name: `Space ${at}` }) },
  suppressions: { path: '/suppressions', body: (at) => ({ addresses: [`caps-${at}@example.test`] }) },
};

describe.each(Object.keys(creations) as CreatedKind[])('the cap on %s', (kind) => {
  const { path, body } = creations[kind];
  const max = limits[kind];
  let ours: TestWorkspace;
  let client: Api;

  const create = (at: number) => client.post(path, body(at));

  beforeAll(async () => {
    ours = await workspace();
    client = api(ours);
    // The counter of a workspace that has all but two.
    await reserveCount(ours.id, { kind, max, recount: null }, max - 2);
  });

  it('holds when several are created at the same time', async () => {
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map(create));
    expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(2);
    const refused = outcomes.find(({ status }) => status !== 201);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'limit_reached', detail: `A workspace has at most ${max} ${kind}.` },
    });
  });

  it('has room again when one is deleted', async () => {
    const { body: list } = await client.get<{ data: { id: string; provided?: boolean }[] }>(path);
    const own = list.data.find(({ provided }) => !provided);
    expect(await client.delete(`${path}/${own?.id}`)).toMatchObject({ status: 204 });
    await cloud().waitForQuiescence();
    expect(await create(6)).toMatchObject({ status: 201 });
    expect(await create(7)).toMatchObject({ status: 409 });
  });
});
