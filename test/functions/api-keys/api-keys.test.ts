import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { createKey } from '../../../lib/services/api-keys/api-keys.ts';
import { authenticate } from '../../../lib/services/api-keys/authenticate.ts';
import { listAudit } from '../../../lib/services/workspaces/audit.ts';
import { recordKeyUse } from '../../../lib/storage/workspaces/key-hashes.ts';
import { api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { workspace } from '../../support/workspace.ts';

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

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
      expires_at: null,
      allowed_ips: [],
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
    [{ name: 'a', scope: 'read', allowed_ips: ['10.0.0.0/33'] }, 'allowed_ips.0'],
    [{ name: 'a', scope: 'read', expires_at: '2026-01-31' }, 'expires_at'],
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

  it('writes its last use once when it is used several times', async () => {
    const { post } = api(await workspace());
    const { body: created } = await post('/api-keys', { name: 'reader', scope: 'read' });
    const hash = hashOf(String(created.key));
    const reader = api(String(created.key));
    await cloud().control('POST', '/calls', { metering: true });
    await cloud().control('DELETE', '/calls');
    for (let request = 0; request < 5; request++) await reader.get('/spaces');
    const { data } = await cloud().control<{ data: { keys?: string[] }[] }>('GET', '/calls');
    await cloud().control('POST', '/calls', { metering: false });
    expect(data.filter(({ keys = [] }) => keys.some((key) => key.includes(hash)))).toHaveLength(1);
  });

  it('writes its last use again when that is 15 minutes ago', async () => {
    const { id } = await workspace();
    const { token } = await createKey(id, { name: 'reader', scope: 'read' });
    const isDueAfter = async (minutes: number) => {
      await recordKeyUse(hashOf(token), now() - minutes * 60_000);
      const found = await authenticate(token, '127.0.0.1');
      return found?.recordUse !== null;
    };
    expect([await isDueAfter(14), await isDueAfter(15)]).toEqual([false, true]);
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
    const { body: own } = await api(ours).post('/api-keys', { name: 'second', scope: 'full' });
    const full = api(String(own.key));
    expect((await full.delete(`/api-keys/${own.id}`)).status).toBe(204);
    expect((await full.get('/api-keys')).status).toBe(401);
  });

  it('is kept when it is the last of scope full, also when two delete each other', async () => {
    const ours = await workspace();
    const { data } = (await api(ours).get('/api-keys')).body;
    const refused = await api(ours).delete(`/api-keys/${data[0]?.id}`);
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    expect(Object.keys(refused.headers)).not.toContain('ratelimit-limit');
    const { body: second } = await api(ours).post('/api-keys', { name: 'second', scope: 'full' });
    const answers = await Promise.all([
      api(ours).delete(`/api-keys/${second.id}`),
      api(String(second.key)).delete(`/api-keys/${data[0]?.id}`),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1);
    const left = await Promise.all([api(ours), api(String(second.key))].map(({ get }) => get('/api-keys')));
    expect(left.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('is refused when it has expired or comes from an address that it does not allow', async () => {
    const ours = await workspace();
    const create = async (more: object) => {
      const { body } = await api(ours).post('/api-keys', { name: 'limited', scope: 'read', ...more });
      return (await api(String(body.key)).get('/spaces')).status;
    };
    const inAnHour = new Date(now() + 3_600_000).toISOString();
    expect(await create({ expires_at: inAnHour, allowed_ips: ['127.0.0.0/8', '::1'] })).toBe(200);
    expect(await create({ allowed_ips: ['192.0.2.0/24'] })).toBe(401);
    const { token } = await createKey(ours.id, { name: 'a', scope: 'read', expiresAt: now() + 3_600_000 });
    expect(await authenticate(token, '127.0.0.1')).not.toBe(null);
    const past = await api(ours).post('/api-keys', {
      name: 'past',
      scope: 'read',
      expires_at: '2020-01-01T00:00:00Z',
    });
    expect([past.status, past.body.issues]).toMatchObject([422, [{ path: 'expires_at' }]]);
  });

  it('gets at most the restrictions of the key that creates it', async () => {
    const ours = await workspace();
    const inMinutes = (minutes: number) => new Date(now() + minutes * 60_000).toISOString();
    const given = {
      name: 'limited',
      scope: 'full',
      expires_at: inMinutes(60),
      allowed_ips: ['127.0.0.0/8', '::1'],
    };
    const creator = api((await api(ours).post('/api-keys', given)).body.key as string);
    const create = async (more: object) => {
      const { body, status } = await creator.post('/api-keys', { name: 'made', scope: 'full', ...more });
      return status === 201 ? [body.expires_at, body.allowed_ips] : [status, body.issues];
    };
    const [expiresAt, networks] = [given.expires_at, given.allowed_ips];
    expect(await create({})).toEqual([expiresAt, networks]);
    expect(await create({ expires_at: null, allowed_ips: [] })).toEqual([expiresAt, networks]);
    expect(await create({ expires_at: inMinutes(61), allowed_ips: ['0.0.0.0/0'] })).toEqual([
      expiresAt,
      ['127.0.0.0/8'],
    ]);
    const sooner = inMinutes(59);
    expect(await create({ expires_at: sooner, allowed_ips: ['127.0.0.1', '192.0.2.1'] })).toEqual([
      sooner,
      ['127.0.0.1'],
    ]);
    expect(await create({ allowed_ips: ['192.0.2.0/24'] })).toEqual([
      422,
      [{ path: 'allowed_ips', message: expect.stringContaining('within') }],
    ]);
  });

  it('leaves creation, deletion and use after deletion in the audit log, the last once', async () => {
    const ours = await workspace();
    const { body: created } = await api(ours).post('/api-keys', { name: 'reader', scope: 'read' });
    await api(ours).delete(`/api-keys/${created.id}`);
    for (let at = 0; at < 3; at++) expect((await api(String(created.key)).get('/spaces')).status).toBe(401);
    const entries = [];
    for await (const { action, subject } of listAudit(ours.id)) {
      if (subject === created.id) entries.push(action);
    }
    expect(entries).toEqual(['key.used_after_deletion', 'key.deleted', 'key.created']);
  });

  it('is one of at most 100 of a workspace', async () => {
    const ours = await workspace();
    for (let at = 1; at < 100; at++) await createKey(ours.id, { name: `key ${at}`, scope: 'read' });
    const refused = await api(ours).post('/api-keys', { name: 'more', scope: 'read' });
    expect([refused.status, refused.body.code]).toEqual([409, 'limit_reached']);
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
