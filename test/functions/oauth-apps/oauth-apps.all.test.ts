import { describe, expect, it } from 'vitest';
import type { OauthAppId } from '../../../lib/core/ids.ts';
import type { AuditEntry } from '../../../lib/core/workspaces/audit.ts';
import { sealClientSecret } from '../../../lib/services/mailboxes/sealed-tokens.ts';
import { listAudit } from '../../../lib/services/workspaces/audit.ts';
import { findApp, findClient } from '../../../lib/storage/mailboxes/oauth-apps.ts';
import { appSlugKey, oauthAppKey } from '../../../lib/storage/table/keys.ts';
import { get } from '../../../lib/storage/table/reads.ts';
import { api } from '../../support/api.ts';
import { type TestWorkspace, workspace } from '../../support/workspace.ts';

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const secret = 'GOCSPX-client-secret-of-the-test';

async function client() {
  const own = await workspace();
  return { own, ...api(own) };
}

const appOf = (own: TestWorkspace, given: object = {}) => ({
  provider: 'google',
  name: 'Acme Mail',
  slug: own.slug.slice(0, 64),
  client_id: 'client-1.apps.googleusercontent.com',
  client_secret: secret,
  ...given,
});

describe('POST /oauth-apps', () => {
  it('returns 201 with the record, the same as later reads, without the secret', async () => {
    const { own, post, get: read } = await client();
    const given = {
      pubsub_topic: 'projects/acme-mail/topics/gmail',
      accent: '#1F5FBF',
      tagline: 'Your inbox.',
      support_email: 'help@acme.test',
      logo_url: 'https://acme.test/logo.png',
      return_urls: ['https://acme.test/connected', 'http://localhost:3000/done'],
    };
    const { status, body } = await post('/oauth-apps', appOf(own, given));
    expect(status).toBe(201);
    const base = new URL(String(body.redirect_uri)).origin;
    const { client_secret: _, ...shown } = appOf(own, given);
    expect(body).toEqual({
      id: expect.stringMatching(/^app_[0-9a-f]{32}$/),
      ...shown,
      tenant: null,
      redirect_uri: `${base}/connect/callback/google`,
      connect_url: `${base}/connect/${shown.slug}`,
      push_endpoint: `${base}/push/google/${body.id}`,
      created_at: timestamp,
      updated_at: timestamp,
    });
    expect(await read(`/oauth-apps/${body.id}`)).toMatchObject({ status: 200, body });
    expect((await read('/oauth-apps')).body).toEqual({ data: [body], next_cursor: null });
  });

  it('has null for what is not given, and no push endpoint for Microsoft', async () => {
    const { own, post } = await client();
    const tenant = '9188040d-6c67-4c5b-b112-36a304b66dad';
    const { body } = await post('/oauth-apps', appOf(own, { provider: 'microsoft', tenant }));
    expect(body).toMatchObject({
      ...{ tenant, pubsub_topic: null, accent: null, tagline: null, support_email: null, logo_url: null },
      return_urls: [],
      push_endpoint: null,
    });
  });

  it('stores the secret encrypted only', async () => {
    const { own, post } = await client();
    const { body } = await post('/oauth-apps', appOf(own));
    const item = await get(oauthAppKey(own.id, body.id as OauthAppId));
    expect(JSON.stringify(item)).not.toContain(secret);
    expect(item?.sealedSecret).toMatch(/^[\w+/=]{100,}$/);
    expect(await sealClientSecret(own.id, secret)).not.toBe(item?.sealedSecret);
  });

  it('gives a slug to one of several requests, of any workspace', async () => {
    const [ours, theirs] = await Promise.all([client(), client()]);
    const slug = ours.own.slug.slice(0, 64);
    const answers = await Promise.all(
      [ours, theirs, ours, theirs].map(({ own, post }) => post('/oauth-apps', appOf(own, { slug }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const codes = answers.flatMap(({ status, body }) => (status === 409 ? [body.code] : []));
    expect(new Set(codes)).toEqual(new Set(['slug_taken']));
    expect((await ours.post('/oauth-apps', appOf(ours.own, { slug: 'callback' }))).body.code).toBe(
      'slug_taken',
    );
  });

  it.each([
    ['return_urls.0', { return_urls: ['http://acme.test'] }],
    ['return_urls.1', { return_urls: ['https://acme.test', 'https://acme.test/#x'] }],
    ['return_urls.0', { return_urls: ['https://me:secret@acme.test'] }],
    ['return_urls.0', { return_urls: ['/connected'] }],
    ['return_urls.1', { return_urls: ['https://acme.test/', 'https://acme.test'] }],
    ['return_urls', { return_urls: Array.from({ length: 21 }, (_, at) => `https://acme.test/${at}`) }],
  ])('answers invalid_return_url and names %s for %j', async (path, given) => {
    const { own, post } = await client();
    const { status, body } = await post('/oauth-apps', appOf(own, given));
    expect([status, body.code]).toEqual([400, 'invalid_return_url']);
    expect(body.issues).toMatchObject([{ path }]);
    expect(await get(appSlugKey(own.slug))).toBeNull();
  });

  it.each([
    ['provider', 'yahoo'],
    ['name', ''],
    ['name', 'x'.repeat(101)],
    ['slug', 'ab'],
    ['slug', 'x'.repeat(65)],
    ['slug', 'Acme'],
    ['client_id', 'x'.repeat(501)],
    ['client_secret', 'x'.repeat(2001)],
    ['tenant', 'https://acme.test'],
    ['pubsub_topic', 'gmail'],
    ['accent', 'red'],
    ['accent', '#12345;'],
    ['support_email', 'help'],
    ['logo_url', 'http://acme.test/logo.png'],
    ['logo_url', 'javascript:alert(1)'],
    ['logo_url', 'https://acme.test;sandbox/logo.png'],
    ['logo_url', 'https://acme.test,x/logo.png'],
    ['tenant', 'acme.test'],
    ['secret', 'x'],
  ])('refuses %s = %j and says so', async (path, value) => {
    const { own, post } = await client();
    const { status, body } = await post('/oauth-apps', appOf(own, { [path]: value }));
    expect(status).toBe(422);
    expect(body.issues).toMatchObject([{ path }]);
  });

  it('refuses the 51st app, and one that is made while another one is', async () => {
    const { own, post } = await client();
    const create = (at: number) =>
      post('/oauth-apps', appOf(own, { slug: `${own.slug.slice(0, 50)}-${at}` }));
    for (let at = 0; at < 49; at += 7)
      await Promise.all([0, 1, 2, 3, 4, 5, 6].map((more) => create(at + more)));
    const last = await Promise.all([100, 101, 102].map(create));
    expect(last.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(last.find(({ status }) => status === 409)?.body.code).toBe('limit_reached');
  });
});

describe('PATCH /oauth-apps/{app_id}', () => {
  it('changes what is given, and nothing else', async () => {
    const { own, post, patch } = await client();
    const { body: before } = await post('/oauth-apps', appOf(own, { tagline: 'Old', accent: '#000000' }));
    const { status, body } = await patch(`/oauth-apps/${before.id}`, { tagline: 'New', accent: null });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, tagline: 'New', accent: null, updated_at: timestamp });
  });

  it('stores a new secret', async () => {
    const { own, post, patch } = await client();
    const { body: app } = await post('/oauth-apps', appOf(own));
    const before = await findApp(own.id, app.id as OauthAppId);
    const { body } = await patch(`/oauth-apps/${app.id}`, { client_secret: 'GOCSPX-another' });
    expect(JSON.stringify(body)).not.toContain('GOCSPX');
    expect((await findApp(own.id, app.id as OauthAppId))?.sealedSecret).not.toBe(before?.sealedSecret);
  });

  it.each([
    [422, 'invalid_request', { slug: 'another' }],
    [422, 'invalid_request', { provider: 'microsoft' }],
    [422, 'invalid_request', { tenant: 'acme.test' }],
    [422, 'invalid_request', {}],
    [400, 'invalid_return_url', { return_urls: ['http://acme.test'] }],
  ])('answers %i %s to %j', async (status, code, change) => {
    const { own, post, patch } = await client();
    const { body: app } = await post('/oauth-apps', appOf(own));
    const answer = await patch(`/oauth-apps/${app.id}`, change);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('keeps both of two changes at the same time', async () => {
    const { own, post, patch, get: read } = await client();
    const { body: app } = await post('/oauth-apps', appOf(own));
    const changes = [{ tagline: 'New' }, { accent: '#123456' }, { name: 'Other' }];
    await Promise.all(changes.map((change) => patch(`/oauth-apps/${app.id}`, change)));
    expect((await read(`/oauth-apps/${app.id}`)).body).toMatchObject(Object.assign({}, ...changes));
  });
});

describe('DELETE /oauth-apps/{app_id}', () => {
  it('removes the app with its client, and frees the slug', async () => {
    const { own, post, delete: remove, get: read } = await client();
    const { body: app } = await post('/oauth-apps', appOf(own));
    expect((await remove(`/oauth-apps/${app.id}`)).status).toBe(204);
    expect((await read(`/oauth-apps/${app.id}`)).status).toBe(404);
    expect((await remove(`/oauth-apps/${app.id}`)).status).toBe(404);
    expect(await findClient(own.id, app.id as OauthAppId)).toBeNull();
    expect((await post('/oauth-apps', appOf(own))).status).toBe(201);
  });
});

describe('the audit log', () => {
  it('has who created, changed and deleted an app', async () => {
    const { own, post, patch, delete: remove } = await client();
    const { body: app } = await post('/oauth-apps', appOf(own));
    await patch(`/oauth-apps/${app.id}`, { client_secret: 'GOCSPX-another' });
    await remove(`/oauth-apps/${app.id}`);
    const entries: AuditEntry[] = [];
    for await (const entry of listAudit(own.id)) if (entry.subject === app.id) entries.push(entry);
    expect(entries.map(({ action }) => action)).toEqual([
      'oauth_app.deleted',
      'oauth_app.updated',
      'oauth_app.created',
    ]);
    expect(entries.every(({ actor }) => actor.startsWith('key_'))).toBe(true);
    expect(JSON.stringify(entries)).not.toContain('GOCSPX');
  });
});
