/** Connections of mailboxes through browser, emulated provider and callback (docs/concepts/mailboxes.md#connecting). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import type { MailboxId, OauthAppId } from '../../../lib/core/ids.ts';
import { demoClient } from '../../../lib/local/mailbox-providers/mailbox-providers.ts';
import { revokeMailbox } from '../../../lib/services/mailboxes/disconnect.ts';
import { changeSettings } from '../../../lib/services/workspaces/workspaces.ts';
import {
  acquireCredentials,
  findCredentials,
  releaseCredentials,
} from '../../../lib/storage/mailboxes/mailbox-credentials.ts';
import { listPushedMailboxes } from '../../../lib/storage/mailboxes/mailbox-syncs.ts';
import { findMailbox } from '../../../lib/storage/mailboxes/mailboxes.ts';
import { findClient } from '../../../lib/storage/mailboxes/oauth-apps.ts';
import { clearFaults, inject } from '../../faults/kit.ts';
import { type Api, api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { browse, connectAt, giveConsent } from '../../support/connect-mailbox.ts';
import { disconnectAll } from '../../support/emulated-mailbox.ts';
import { type TestWorkspace, workspace } from '../../support/workspace.ts';

const returnTo = 'https://acme.test/connected?user=7';
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let own: TestWorkspace;
let client: Api;
let made = 0;
const address = () => `person-${++made}@${own.slug}.example`;

beforeAll(async () => {
  own = await workspace();
  client = api(own);
});

afterEach(clearFaults);
// Their polls would keep the queues of other files busy.
afterAll(() => disconnectAll(client));

/** The consent URL of a connection. */
async function begin(given: object = {}): Promise<string> {
  const request = { provider: 'google', return_to: returnTo, ...given };
  const { status, body } = await client.post('/mailboxes/connect', request);
  if (status !== 201) throw new Error(`connect answered ${status} ${JSON.stringify(body)}`);
  return String(body.url);
}

/** The parameters with which the browser comes back. */
async function outcomeOf(callback: string) {
  const { location } = await browse(callback);
  return Object.fromEntries(location?.searchParams ?? []);
}

/** An own app whose client the emulated Google knows. */
async function createApp(given: object = {}) {
  const { body } = await client.post('/oauth-apps', {
    provider: 'google',
    name: 'Acme & Sons',
    slug: `${own.slug.slice(0, 50)}-${++made}`,
    client_id: demoClient.clientId,
    client_secret: demoClient.clientSecret,
    return_urls: ['https://acme.test/connected', 'http://localhost:3000/done'],
    ...given,
  });
  return body;
}

/** Events of a type about a mailbox, oldest first. */
async function eventsOf(type: string, mailboxId: unknown) {
  await cloud().waitForQuiescence();
  const { body } = await client.get(`/events?type=${type}&limit=100`);
  const events = [...body.data].sort((a, b) => (a.id < b.id ? -1 : 1));
  return events.map(({ data }) => Object(data)).filter((data) => data.mailbox_id === mailboxId);
}

describe('POST /mailboxes/connect', () => {
  it('leads to a connected mailbox, with an event', async () => {
    const to = address();
    const url = await begin({ ref: 'user-7' });
    const { location, status } = await browse(await giveConsent(url, { address: to }));
    expect(status).toBe(302);
    expect(location?.href).toMatch(
      /^https:\/\/acme\.test\/connected\?user=7&status=connected&mailbox_id=mbx_[0-9a-f]{32}$/,
    );
    const id = location?.searchParams.get('mailbox_id');
    await cloud().waitForQuiescence();
    const { body } = await client.get(`/mailboxes/${id}`);
    expect(body).toEqual({
      id,
      provider: 'google',
      space_id: null,
      address: to,
      name: expect.any(String),
      state: 'active',
      state_reason: null,
      region: 'us-east-1',
      app_id: null,
      connected_at: timestamp,
      last_sync_at: timestamp,
    });
    expect(await eventsOf('mailbox.connected', id)).toEqual([
      { mailbox_id: id, address: to, provider: 'google', app_id: null, ref: 'user-7', reconnected: false },
    ]);
    const listed = await client.get('/mailboxes?limit=100');
    expect(listed.body.data).toContainEqual(body);
  });

  it('asks for PKCE, offline access and a consent', async () => {
    const url = new URL(await begin());
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: demoClient.clientId,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      access_type: 'offline',
      prompt: 'consent',
      redirect_uri: `${new URL(cloud().baseUrl).origin}/connect/callback/google`,
    });
    expect(url.searchParams.get('state')).toMatch(/^[\w-]{40,80}$/);
  });

  it('connects through an app of the workspace, into a space and a region', async () => {
    const { id: appId } = await createApp();
    const { id: spaceId } = (await client.post('/spaces', { name: 'Acme' })).body;
    const url = await begin({ app_id: appId, space_id: spaceId, region: 'eu-central-1', backfill_days: 90 });
    const id = await connectAt(url, { address: address() });
    const { body } = await client.get(`/mailboxes/${id}`);
    expect(body).toMatchObject({ app_id: appId, space_id: spaceId, region: 'eu-central-1' });
    expect((await client.get(`/mailboxes?space=${spaceId}`)).body.data).toEqual([body]);
    const others = (await client.get('/mailboxes?space=none&limit=100')).body.data;
    expect(others.map((one) => one.id)).not.toContain(id);
  });

  it('keeps id and space when a mailbox is connected again', async () => {
    const { id: spaceId } = (await client.post('/spaces', { name: 'Acme' })).body;
    const to = address();
    const first = await connectAt(await begin({ space_id: spaceId }), { address: to });
    // An event shows the mailbox as it is when it enters the log.
    await cloud().waitForQuiescence();
    const again = await connectAt(await begin({ ref: 'second' }), { address: to.toUpperCase() });
    expect(again).toBe(first);
    expect((await client.get(`/mailboxes/${first}`)).body).toMatchObject({ space_id: spaceId });
    const events = await eventsOf('mailbox.connected', first);
    expect(events.map(({ reconnected, ref }) => ({ reconnected, ref }))).toEqual([
      { reconnected: false, ref: null },
      { reconnected: true, ref: 'second' },
    ]);
  });

  it('is found by pushes of the app of its last connection only', async () => {
    const to = address();
    const { id: app_id } = await createApp();
    const id = await connectAt(await begin(), { address: to });
    const found = [{ workspaceId: own.id, mailboxId: id }];
    expect(await listPushedMailboxes(null, to)).toEqual(found);
    await connectAt(await begin({ app_id }), { address: to });
    expect(await listPushedMailboxes(null, to)).toEqual([]);
    expect(await listPushedMailboxes(app_id as OauthAppId, to)).toEqual(found);
  });

  it('refuses a mailbox that is in another space', async () => {
    const { id: spaceId } = (await client.post('/spaces', { name: 'Acme' })).body;
    const to = address();
    await connectAt(await begin({ space_id: null }), { address: to });
    const callback = await giveConsent(await begin({ space_id: spaceId }), { address: to });
    expect(await outcomeOf(callback)).toEqual({ user: '7', status: 'error', code: 'mailbox_space_conflict' });
  });

  it('keeps a mailbox to its account, until it is disconnected', async () => {
    const to = address();
    const id = await connectAt(await begin(), { address: to });
    const { accountId } = (await findMailbox(own.id, id as MailboxId)) ?? {};
    expect(accountId).toMatch(/^\d+$/);
    // The same address at the other provider: whoever has it there is somebody else.
    const elsewhere = () => begin({ provider: 'microsoft' });
    expect(await outcomeOf(await giveConsent(await elsewhere(), { address: to }))).toEqual({
      user: '7',
      status: 'error',
      code: 'mailbox_account_conflict',
    });
    expect((await client.get(`/mailboxes/${id}`)).body).toMatchObject({
      provider: 'google',
      state: 'active',
    });
    await client.delete(`/mailboxes/${id}`);
    await cloud().waitForQuiescence();
    expect(await connectAt(await elsewhere(), { address: to })).toBe(id);
    expect((await client.get(`/mailboxes/${id}`)).body).toMatchObject({
      provider: 'microsoft',
      state: 'active',
    });
    await client.delete(`/mailboxes/${id}`);
    await cloud().waitForQuiescence();
    expect(await connectAt(await begin(), { address: to })).toBe(id);
  });

  it('comes back as denied when the person denies, or leaves out a permission', async () => {
    expect(await outcomeOf(await giveConsent(await begin(), { isDenied: true }))).toEqual({
      user: '7',
      status: 'denied',
    });
    const partly = await giveConsent(await begin(), { address: address(), without: ['gmail.send'] });
    expect(await outcomeOf(partly)).toMatchObject({ status: 'denied' });
  });

  it('comes back with an error when the client secret is wrong', async () => {
    const { id: app_id } = await createApp({ client_secret: 'wrong' });
    const callback = await giveConsent(await begin({ app_id }), { address: address() });
    expect(await outcomeOf(callback)).toMatchObject({ status: 'error', code: 'provider_error' });
  });

  it('comes back with an error when the service fails', async () => {
    const callback = await giveConsent(await begin(), { address: address() });
    await inject({
      kind: 'error',
      action: 'TransactWriteItems',
      match: own.id,
      code: 'ValidationException',
      skip: 1,
    });
    expect(await outcomeOf(callback)).toEqual({ user: '7', status: 'error', code: 'internal_error' });
  });

  it('comes back with an error when the app was deleted meanwhile', async () => {
    const { id: app_id } = await createApp();
    const callback = await giveConsent(await begin({ app_id }), { address: address() });
    await client.delete(`/oauth-apps/${app_id}`);
    expect(await outcomeOf(callback)).toMatchObject({ status: 'error' });
  });

  it.each([
    [400, 'invalid_return_url', { return_to: 'http://acme.test' }],
    [400, 'invalid_return_url', { return_to: 'https://me:secret@acme.test' }],
    [400, 'invalid_return_url', { return_to: 'https://acme.test/#top' }],
    [422, 'invalid_request', { return_to: '' }],
    [422, 'invalid_request', { provider: 'yahoo' }],
    [422, 'invalid_request', { ref: 'x'.repeat(201) }],
    [422, 'invalid_request', { backfill_days: 91 }],
    [400, 'unknown_region', { region: 'us-west-9' }],
    [404, 'not_found', { app_id: newId('app') }],
    [404, 'not_found', { space_id: newId('spc') }],
  ])('answers %i %s to %j', async (status, code, given) => {
    const request = { provider: 'google', return_to: returnTo, ...given };
    const answer = await client.post('/mailboxes/connect', request);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('refuses an app of another provider', async () => {
    const { id: app_id } = await createApp();
    const { status, body } = await client.post('/mailboxes/connect', {
      provider: 'microsoft',
      return_to: returnTo,
      app_id,
    });
    expect(status).toBe(422);
    expect(body.issues).toMatchObject([{ path: 'provider' }]);
  });

  it('requires an own app when the operator has said so', async () => {
    const other = await workspace();
    await changeSettings(other.id, { requireOwnOauthApp: true });
    const request = { provider: 'google', return_to: returnTo };
    const { status, body } = await api(other).post('/mailboxes/connect', request);
    expect([status, body.code]).toEqual([403, 'shared_apps_disabled']);
  });
});

describe('the callback', () => {
  it('works once for each state, also when both come at the same time', async () => {
    const callback = await giveConsent(await begin(), { address: address() });
    const answers = await Promise.all([browse(callback), browse(callback), browse(callback)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 400, 400]);
    expect(answers.find(({ status }) => status === 400)?.text).toContain('expired_state');
    expect((await browse(callback)).status).toBe(400);
  });

  it('connects an address once when two states come back at the same time', async () => {
    const to = address();
    const urls = await Promise.all([begin(), begin(), begin()]);
    const ids = await Promise.all(urls.map((url) => connectAt(url, { address: to })));
    expect(new Set(ids).size).toBe(1);
    const events = await eventsOf('mailbox.connected', ids[0]);
    expect(events.filter(({ reconnected }) => !reconnected)).toHaveLength(1);
    expect(events).toHaveLength(3);
  });

  it('leaves a mailbox with its client, or none, when its app is deleted beside it', async () => {
    for (let round = 0; round < 3; round++) {
      const { id: app_id } = await createApp();
      const callback = await giveConsent(await begin({ app_id }), { address: address() });
      const [page] = await Promise.all([browse(callback), client.delete(`/oauth-apps/${app_id}`)]);
      const id = page.location?.searchParams.get('mailbox_id');
      const kept = await findClient(own.id, app_id as OauthAppId);
      expect(kept !== null).toBe(Boolean(id));
    }
  });

  it.each([
    ['no state', (url: URL) => url.searchParams.delete('state')],
    ['a state that is no state', (url: URL) => url.searchParams.set('state', 'x')],
    [
      'a changed state',
      (url: URL) => {
        const state = url.searchParams.get('state') ?? '';
        url.searchParams.set('state', `${state.slice(0, 5)}${state[5] === 'A' ? 'B' : 'A'}${state.slice(6)}`);
      },
    ],
    ['the state of another provider', (url: URL) => (url.pathname = '/connect/callback/microsoft')],
  ])('answers invalid_state to %s', async (_, change) => {
    const url = new URL(await giveConsent(await begin(), { address: address() }));
    change(url);
    const page = await browse(url.href);
    expect(page.status).toBe(400);
    expect(page.text).toContain('invalid_state');
    const response = await fetch(url, { headers: { accept: 'application/json' } });
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  });
});

describe('a state that comes to the callback of the other provider', () => {
  it('still works at its own', async () => {
    const url = new URL(await giveConsent(await begin(), { address: address() }));
    const other = new URL(url);
    other.pathname = '/connect/callback/microsoft';
    expect((await browse(other.href)).status).toBe(400);
    expect(await outcomeOf(url.href)).toMatchObject({ status: 'connected' });
  });
});

describe('the hosted page', () => {
  it('shows the app, and its button leads to a consent and back', async () => {
    const app = await createApp({
      tagline: 'Your <inbox>',
      accent: '#ffcc00',
      support_email: 'help@acme.test',
      logo_url: 'https://acme.test/logo.png?a=1&b=2',
    });
    const link = `${app.connect_url}?return_to=${encodeURIComponent('https://acme.test/connected?x=1')}&ref=r1`;
    const response = await fetch(link);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src https:\/\/acme\.test; form-action 'self';/,
    );
    expect(text).toContain('Connect your mailbox to Acme &amp; Sons');
    expect(text).toContain('Your &lt;inbox&gt;');
    expect(text).not.toMatch(/<script|javascript:/i);
    const href = /class="go" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const { location } = await browse(href);
    const back = (await browse(await giveConsent(location?.href ?? '', { address: address() }))).location;
    expect(back?.href).toMatch(/^https:\/\/acme\.test\/connected\?x=1&status=connected&mailbox_id=mbx_/);
    const id = back?.searchParams.get('mailbox_id');
    expect(await eventsOf('mailbox.connected', id)).toMatchObject([{ ref: 'r1', app_id: app.id }]);
  });

  it('returns to the first registered URL when the link names none', async () => {
    const app = await createApp();
    const { location } = await browse(`${app.connect_url}/start`);
    const back = await browse(await giveConsent(location?.href ?? '', { address: address() }));
    expect(back.location?.href).toMatch(/^https:\/\/acme\.test\/connected\?status=connected/);
  });

  it('shows the outcome itself when the app has no return URL', async () => {
    const app = await createApp({ return_urls: [] });
    const start = async () => (await browse(`${app.connect_url}/start`)).location?.href ?? '';
    const to = address();
    const done = await browse(await giveConsent(await start(), { address: to }));
    expect([done.status, done.location]).toEqual([200, null]);
    expect(done.text).toContain(to);
    expect((await browse(await giveConsent(await start(), { isDenied: true }))).text).toContain(
      'not connected',
    );
  });

  it.each([
    [400, 'return_url_not_registered', '?return_to=https://evil.example/connected'],
    [400, 'return_url_not_registered', '?return_to=https://acme.test/other'],
    [400, 'invalid_return_url', '?return_to=nonsense'],
    [400, 'invalid_return_url', '?return_to=http://acme.test/connected'],
    [400, 'invalid_return_url', '?return_to=https://me:secret@acme.test/connected'],
    [400, 'invalid_return_url', '?return_to=https://acme.test/connected%23top'],
    [404, 'not_found', `?space_id=${newId('spc')}`],
    [404, 'not_found', '?space_id=dom_1'],
    [400, 'invalid_query', `?ref=${'x'.repeat(201)}`],
  ])('answers %i %s to %s, on the page and at its start', async (status, code, search) => {
    const app = await createApp();
    for (const path of ['', '/start']) {
      const page = await browse(`${app.connect_url}${path}${search}`);
      expect(page.status).toBe(status);
      expect(page.text).toContain(code);
    }
  });

  it('leads back to the app from a link that does not work, never to a URL that is not registered', async () => {
    const app = await createApp({ support_email: 'help@acme.test' });
    const { text } = await browse(`${app.connect_url}?return_to=https://evil.example/connected`);
    expect(text).toContain('help@acme.test');
    expect(text).toContain(
      '<a class="go" href="https://acme.test/connected">Back to <bdi>Acme &amp; Sons</bdi></a>',
    );
    expect(text).not.toContain('evil.example');
  });

  it('offers a new start with the parameters of the link where the consent was denied', async () => {
    const app = await createApp({ return_urls: [] });
    const { location } = await browse(`${app.connect_url}/start?ref=r7`);
    const { text } = await browse(await giveConsent(location?.href ?? '', { isDenied: true }));
    expect(text).toContain(`<a class="go" href="/connect/${app.slug}?ref=r7">Try again</a>`);
  });

  it('answers a person a page where the path does not exist, and a program a problem body', async () => {
    const { connect_url: url } = await createApp();
    const page = await browse(`${url}/nothing`);
    expect(page.status).toBe(404);
    expect(page.text).toContain('This page does not exist');
    const answer = await fetch(`${url}/nothing`, { headers: { accept: 'application/json' } });
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });

  it('connects into the space of the link', async () => {
    const app = await createApp();
    const { id: spaceId } = (await client.post('/spaces', { name: 'Acme' })).body;
    const { location } = await browse(`${app.connect_url}/start?space_id=${spaceId}`);
    const id = await connectAt(location?.href ?? '', { address: address() });
    expect((await client.get(`/mailboxes/${id}`)).body.space_id).toBe(spaceId);
  });

  it('is not there when the app is deleted', async () => {
    const app = await createApp();
    await client.delete(`/oauth-apps/${app.id}`);
    expect((await browse(String(app.connect_url))).status).toBe(404);
    expect((await browse(`${app.connect_url}/start`)).status).toBe(404);
  });
});

describe('a mailbox of a deleted space', () => {
  it('sends nothing, and holds its address, until it is removed', async () => {
    const { id: spaceId } = (await client.post('/spaces', { name: 'Acme' })).body;
    const to = address();
    const id = await connectAt(await begin({ space_id: spaceId }), { address: to });
    await cloud().waitForQuiescence();
    const fault = { kind: 'error', worker: 'run-task', service: 'dynamodb', match: own.id } as const;
    await inject({ ...fault, times: 1000 });
    await client.delete(`/spaces/${spaceId}`);
    expect((await client.get(`/mailboxes/${id}`)).status).toBe(404);
    const email = { from: to, to: 'ben@elsewhere.test', subject: 'Hi', text: 'Hi' };
    const { status, body } = await client.post('/emails', email);
    expect([status, body.code]).toEqual([400, 'sender_unknown']);
    expect(await outcomeOf(await giveConsent(await begin(), { address: to }))).toMatchObject({
      status: 'error',
      code: 'not_found',
    });
  });
});

describe('DELETE /mailboxes/{mailbox_id}', () => {
  const tokensOf = async (to: string) =>
    await cloud().control<{ tokens: number }>('POST', `/mailbox-providers/google/accounts/${to}/revoke`, {});

  it('disconnects the mailbox, revokes its authorization and destroys its credentials', async () => {
    const to = address();
    const id = await connectAt(await begin(), { address: to });
    const { status, body } = await client.delete(`/mailboxes/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, state: 'disconnected', address: to });
    await cloud().waitForQuiescence();
    expect(await findCredentials(own.id, id as MailboxId)).toBeNull();
    expect(await tokensOf(to)).toEqual({ tokens: 0 });
    expect(await eventsOf('mailbox.disconnected', id)).toHaveLength(1);
    expect((await client.get(`/mailboxes/${id}`)).body).toEqual(body);
    expect((await client.delete(`/mailboxes/${id}`)).body).toEqual(body);
    expect(await eventsOf('mailbox.disconnected', id)).toHaveLength(1);
  });

  it('is undone by a new connection, with the same id', async () => {
    const to = address();
    const id = await connectAt(await begin(), { address: to });
    await client.delete(`/mailboxes/${id}`);
    await cloud().waitForQuiescence();
    expect(await connectAt(await begin(), { address: to })).toBe(id);
    await cloud().waitForQuiescence();
    expect((await client.get(`/mailboxes/${id}`)).body).toMatchObject({
      state: 'active',
      state_reason: null,
    });
    expect(await findCredentials(own.id, id as MailboxId)).not.toBeNull();
    expect(await tokensOf(to)).not.toEqual({ tokens: 0 });
  });

  it('leaves a whole state when it runs beside a new connection', async () => {
    const to = address();
    const id = await connectAt(await begin(), { address: to });
    const callback = await giveConsent(await begin(), { address: to });
    await Promise.all([client.delete(`/mailboxes/${id}`), browse(callback)]);
    await cloud().waitForQuiescence();
    const { state } = (await client.get(`/mailboxes/${id}`)).body;
    const isStored = (await findCredentials(own.id, id as MailboxId)) !== null;
    // A revocation that ends between the consent and its callback has ended the new authorization: the first
    // synchronization finds that out.
    expect(['active', 'needs_reauth', 'disconnected']).toContain(state);
    expect(isStored).toBe(state !== 'disconnected');
  });

  it('refuses a connection while the authorization is being revoked, and takes the next one', async () => {
    const to = address();
    const id = (await connectAt(await begin(), { address: to })) as MailboxId;
    // The first revocation fails; the next one is due in seconds.
    await inject({ kind: 'error', service: 'google', action: 'revoke', status: 503, times: 1 });
    await client.delete(`/mailboxes/${id}`);
    await cloud().waitForQuiescence();
    const lease = { token: 'revocation', until: now() + 60_000 };
    expect(await acquireCredentials(own.id, id, lease, now())).not.toBeNull();
    expect(await outcomeOf(await giveConsent(await begin(), { address: to }))).toEqual({
      user: '7',
      status: 'error',
      code: 'mailbox_inactive',
    });
    await releaseCredentials(own.id, id, lease.token, null);
    expect(await connectAt(await begin(), { address: to })).toBe(id);
    // What is left of the disconnection does nothing to the new connection.
    const { revision } = (await findMailbox(own.id, id)) ?? { revision: 0 };
    for (const before of [revision - 1, revision]) {
      await revokeMailbox({
        kind: 'revoke-mailbox',
        v: 1,
        workspaceId: own.id,
        mailboxId: id,
        revision: before,
        tries: 0,
      });
    }
    expect(await tokensOf(to)).not.toEqual({ tokens: 0 });
    expect((await client.get(`/mailboxes/${id}`)).body.state).toBe('active');
  });

  it('leaves the authorization that another workspace has through the same shared app', async () => {
    const to = address();
    const other = await workspace();
    const request = { provider: 'google', return_to: returnTo };
    const elsewhere = await connectAt(
      String((await api(other).post('/mailboxes/connect', request)).body.url),
      { address: to },
    );
    const id = await connectAt(await begin(), { address: to });
    await client.delete(`/mailboxes/${id}`);
    await cloud().waitForQuiescence();
    expect(await findCredentials(own.id, id as MailboxId)).toBeNull();
    await api(other).post(`/mailboxes/${elsewhere}/sync`);
    await cloud().waitForQuiescence();
    expect((await api(other).get(`/mailboxes/${elsewhere}`)).body.state).toBe('active');
    await api(other).delete(`/mailboxes/${elsewhere}`);
    await cloud().waitForQuiescence();
    expect(await tokensOf(to)).toEqual({ tokens: 0 });
  });
});
