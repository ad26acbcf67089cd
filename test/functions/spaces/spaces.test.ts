import { describe, expect, it } from 'vitest';
import { newId } from '../../../lib/adapters/ids.ts';
import { api } from '../../support/api.ts';
import { workspace } from '../../support/workspace.ts';

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const client = async () => api(await workspace());

describe('POST /spaces', () => {
  it('returns 201 with the record, the same as later reads', async () => {
    const { post, get } = await client();
    const created = await post('/spaces', { name: 'Acme', external_id: 'crm-1' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^spc_[0-9a-f]{32}$/),
      name: 'Acme',
      external_id: 'crm-1',
      created_at: timestamp,
      updated_at: timestamp,
    });
    expect(await get(`/spaces/${created.body.id}`)).toMatchObject({ status: 200, body: created.body });
  });

  it('requires a name, but no external id', async () => {
    const { post } = await client();
    expect((await post('/spaces', { name: 'Acme' })).body.external_id).toBeNull();
    const { status, body } = await post('/spaces', { external_id: 'x' });
    expect(status).toBe(422);
    expect(body.issues).toEqual([{ path: 'name', message: 'is required' }]);
  });

  it.each([
    ['name', ''],
    ['name', 'x'.repeat(256)],
    ['name', null],
    ['external_id', ''],
    ['external_id', 'x'.repeat(256)],
    ['external_id', 7],
  ])('refuses %s = %j and says so', async (path, value) => {
    const { status, body } = await (await client()).post('/spaces', { name: 'Acme', [path]: value });
    expect(status).toBe(422);
    expect(body.issues).toMatchObject([{ path }]);
  });

  it('refuses an external id only when another space of the workspace has it', async () => {
    const [ours, theirs] = await Promise.all([client(), client()]);
    await ours.post('/spaces', { name: 'A', external_id: 'crm-1' });
    const again = await ours.post('/spaces', { name: 'B', external_id: 'crm-1' });
    expect([again.status, again.body.code]).toEqual([409, 'external_id_taken']);
    expect((await theirs.post('/spaces', { name: 'C', external_id: 'crm-1' })).status).toBe(201);
  });

  it('gives an external id to one request when several ask at the same time', async () => {
    const { post } = await client();
    const answers = await Promise.all(
      ['A', 'B', 'C', 'D'].map((name) => post('/spaces', { name, external_id: 'crm-1' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });
});

describe('PATCH /spaces/{id}', () => {
  it('changes the given fields only', async () => {
    const { post, patch } = await client();
    const { body: space } = await post('/spaces', { name: 'Acme', external_id: 'crm-1' });
    const renamed = await patch(`/spaces/${space.id}`, { name: 'Acme Ltd' });
    expect(renamed).toMatchObject({
      status: 200,
      body: { ...space, name: 'Acme Ltd', updated_at: expect.not.stringContaining(String(space.updated_at)) },
    });
  });

  it('frees an external id for another space when it is set to null', async () => {
    const { post, patch } = await client();
    const { body: first } = await post('/spaces', { name: 'A', external_id: 'crm-1' });
    const { body: second } = await post('/spaces', { name: 'B' });
    const taken = await patch(`/spaces/${second.id}`, { external_id: 'crm-1' });
    expect([taken.status, taken.body.code]).toEqual([409, 'external_id_taken']);
    expect((await patch(`/spaces/${first.id}`, { external_id: null })).body.external_id).toBeNull();
    expect((await patch(`/spaces/${second.id}`, { external_id: 'crm-1' })).body.external_id).toBe('crm-1');
  });

  it('accepts the external id that the space has already', async () => {
    const { post, patch } = await client();
    const { body: space } = await post('/spaces', { name: 'A', external_id: 'crm-1' });
    expect((await patch(`/spaces/${space.id}`, { external_id: 'crm-1' })).status).toBe(200);
  });
});

describe('GET /spaces', () => {
  it('returns each space once, oldest first, page by page', async () => {
    const { post, get } = await client();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await post('/spaces', { name });
    const first = (await get('/spaces?limit=2')).body;
    const second = (await get(`/spaces?limit=2&cursor=${first.next_cursor}`)).body;
    const third = (await get(`/spaces?limit=2&cursor=${second.next_cursor}`)).body;
    expect([first, second, third].map(({ data }) => data.map(({ name }) => name))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e'],
    ]);
    expect(third.next_cursor).toBeNull();
  });

  it('returns the space with exactly the external id when it is filtered by it', async () => {
    const { post, get } = await client();
    const { body: space } = await post('/spaces', { name: 'A', external_id: 'Crm/1 ?' });
    const find = async (externalId: string) =>
      (await get(`/spaces?external_id=${encodeURIComponent(externalId)}`)).body;
    expect(await find('Crm/1 ?')).toEqual({ data: [space], next_cursor: null });
    expect(await find('crm/1 ?')).toEqual({ data: [], next_cursor: null });
    expect((await get(`/spaces?external_id=${'x'.repeat(256)}`)).body.code).toBe('invalid_query');
  });
});

describe('a workspace', () => {
  it('neither sees nor changes the Spaces of another', async () => {
    const [ours, theirs] = await Promise.all([client(), client()]);
    const { body: space } = await theirs.post('/spaces', { name: 'Theirs', external_id: 'crm-1' });
    const answers = await Promise.all([
      ours.get(`/spaces/${space.id}`),
      ours.patch(`/spaces/${space.id}`, { name: 'Mine' }),
      ours.get(`/spaces/${newId('spc')}`),
    ]);
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      answers.map(() => [404, 'not_found']),
    );
    expect((await ours.get('/spaces?external_id=crm-1')).body.data).toEqual([]);
    expect((await theirs.get(`/spaces/${space.id}`)).body).toEqual(space);
  });
});
