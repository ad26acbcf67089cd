import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { workspace } from '../../support/workspace.ts';

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('POST /api-keys', () => {
  it('returns the key once; later reads return its metadata', async () => {
    const { post, get } = api(await workspace());
    const { status, body: created } = await post('/api-keys', { name: 'backend', scope: 'sending' });
    const { key, ...metadata } = created;
    expect(status).toBe(201);
    expect(created).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{32}$/),
      name: 'backend',
      scope: 'sending',
      prefix: String(key).slice(0, 10),
      created_at: timestamp,
      last_used_at: null,
      key: expect.stringMatching(/^pk_[\w-]{43}$/),
    });
    const { body: list } = await get('/api-keys');
    expect(list.data.find(({ id }) => id === created.id)).toEqual(metadata);
    expect(JSON.stringify(list)).not.toContain(String(key));
  });

  it('creates a key of the given scope in the same workspace', async () => {
    const { post } = api(await workspace());
    const { body: space } = await post('/spaces', { name: 'Ours' });
    const { body } = await post('/api-keys', { name: 'reader', scope: 'read' });
    const reader = api(String(body.key));
    expect((await reader.get(`/spaces/${space.id}`)).status).toBe(200);
    expect((await reader.post('/spaces', { name: 'More' })).body.code).toBe('forbidden');
  });

  it.each([
    [{ scope: 'read' }, 'name'],
    [{ name: '', scope: 'read' }, 'name'],
    [{ name: 'a' }, 'scope'],
    [{ name: 'a', scope: 'admin' }, 'scope'],
  ])('refuses %j for its %s', async (request, path) => {
    const { status, body } = await api(await workspace()).post('/api-keys', request);
    expect(status).toBe(422);
    expect(body.issues).toMatchObject([{ path }]);
  });
});

describe('an API key', () => {
  it('tells when it was last used', async () => {
    const ours = await workspace();
    const { post, get } = api(ours);
    const { body: created } = await post('/api-keys', { name: 'reader', scope: 'read' });
    await api(String(created.key)).get('/spaces');
    const { body: list } = await get('/api-keys');
    expect(list.data.find(({ id }) => id === created.id)?.last_used_at).toEqual(timestamp);
  });

  it('is refused from the next request on when it is deleted', async () => {
    const { post, delete: remove } = api(await workspace());
    const { body: created } = await post('/api-keys', { name: 'reader', scope: 'read' });
    const reader = api(String(created.key));
    expect((await reader.get('/spaces')).status).toBe(200);
    const deleted = await remove(`/api-keys/${created.id}`);
    expect([deleted.status, deleted.body]).toEqual([204, null]);
    expect((await reader.get('/spaces')).body.code).toBe('unauthorized');
    expect((await remove(`/api-keys/${created.id}`)).body.code).toBe('not_found');
  });

  it('may delete itself', async () => {
    const ours = await workspace();
    const full = api(ours);
    const { body } = await full.get('/api-keys');
    expect((await full.delete(`/api-keys/${body.data[0]?.id}`)).status).toBe(204);
    expect((await full.get('/api-keys')).status).toBe(401);
  });

  it('is not found by other workspaces', async () => {
    const [ours, theirs] = await Promise.all([workspace(), workspace()]);
    const { body } = await api(theirs).get('/api-keys');
    expect((await api(ours).delete(`/api-keys/${body.data[0]?.id}`)).body.code).toBe('not_found');
    expect((await api(theirs).get('/api-keys')).status).toBe(200);
  });
});

describe('GET /api-keys', () => {
  it('returns each key once, oldest first', async () => {
    const ours = await workspace();
    const { post, get } = api(ours);
    for (const name of ['b', 'c']) await post('/api-keys', { name, scope: 'read' });
    const first = (await get('/api-keys?limit=2')).body;
    const rest = (await get(`/api-keys?limit=2&cursor=${first.next_cursor}`)).body;
    expect([...first.data, ...rest.data].map(({ name }) => name)).toEqual(['full', 'b', 'c']);
    expect(rest.next_cursor).toBeNull();
  });
});
