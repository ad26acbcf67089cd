/** The life of connected mailboxes: refreshes, lost authorizations, disconnections (docs/concepts/mailboxes.md#tokens). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { MailboxId, OauthAppId } from '../../../lib/core/ids.ts';
import { demoClient } from '../../../lib/local/mailbox-providers/mailbox-providers.ts';
import { withAccessToken } from '../../../lib/services/mailboxes/access-token.ts';
import { findCredentials } from '../../../lib/storage/mailboxes/mailbox-credentials.ts';
import { findClient } from '../../../lib/storage/mailboxes/oauth-apps.ts';
import { mailboxSyncKey } from '../../../lib/storage/table/keys.ts';
import { remove } from '../../../lib/storage/table/table.ts';
import { clearFaults, inject } from '../../faults/kit.ts';
import { type Api, api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { browse, connectAt, giveConsent } from '../../support/connect-mailbox.ts';
import { disconnectAll } from '../../support/emulated-mailbox.ts';
import { receiver } from '../../support/receiver.ts';
import { type TestWorkspace, workspace } from '../../support/workspace.ts';

const hour = 3600;

let own: TestWorkspace;
let client: Api;
let made = 0;
const newAddress = (provider: Provider) => `life-${++made}@${own.slug}-${provider}.example`;

type Provider = 'google' | 'microsoft';
const providers: readonly Provider[] = ['google', 'microsoft'];

beforeAll(async () => {
  own = await workspace();
  client = api(own);
});
afterEach(clearFaults);
afterAll(() => disconnectAll(client));

async function begin(provider: Provider, given: object = {}): Promise<string> {
  const request = { provider, return_to: 'https://acme.test/connected', ...given };
  const { body } = await client.post('/mailboxes/connect', request);
  return String(body.url);
}

async function connect(provider: Provider, address: string, given: object = {}): Promise<MailboxId> {
  const id = (await connectAt(await begin(provider, given), { address })) as MailboxId;
  await stopSync(id);
  return id;
}

/** Ends the polls of a mailbox: those of hours take long, and refresh its tokens. `mail.clock.all.test.ts` has them. */
async function stopSync(id: MailboxId): Promise<void> {
  await cloud().waitForQuiescence();
  await remove(mailboxSyncKey(own.id, id));
}

const tokenOf = (id: MailboxId) => withAccessToken(own.id, id, async ({ accessToken }) => accessToken);
const revoke = (provider: Provider, address: string) =>
  cloud().control('POST', `/mailbox-providers/${provider}/accounts/${address}/revoke`, {});
const read = async (id: string) => (await client.get(`/mailboxes/${id}`)).body;

/** The calls of a provider's token endpoint during some work. */
async function refreshesDuring(work: () => Promise<unknown>): Promise<number> {
  await cloud().control('DELETE', '/calls');
  await work();
  const { data } = await cloud().control<{ data: { service: string; action: string }[] }>('GET', '/calls');
  return data.filter(({ service, action }) => providers.some((one) => one === service) && action === 'token')
    .length;
}

describe.each(providers)('a mailbox of %s', (provider) => {
  it('is refreshed once when many functions need a token, and again an hour later', async () => {
    const id = await connect(provider, newAddress(provider));
    const first = await tokenOf(id);
    for (let round = 0; round < 2; round++) {
      await cloud().advance(2 * hour);
      const refreshes = await refreshesDuring(async () => {
        const tokens = await Promise.all(Array.from({ length: 8 }, () => tokenOf(id)));
        expect(new Set(tokens).size).toBe(1);
        expect(tokens[0]).not.toBe(first);
      });
      expect(refreshes).toBe(1);
    }
    expect(await read(id)).toMatchObject({ state: 'active', state_reason: null });
  });

  it('needs a new consent when its authorization was revoked, and works again with one', async () => {
    const hooks = await receiver();
    const address = newAddress(provider);
    const routing = [{ effect: 'allow', field: 'from', pattern: address }];
    const subscriptions = ['mailbox.connected', 'mailbox.needs_reauth'];
    await client.post('/webhook-endpoints', { url: hooks.url, subscriptions, routing });
    const id = await connect(provider, address, { ref: 'before' });
    await connect(provider, newAddress(provider));
    await revoke(provider, address);
    await cloud().advance(2 * hour);
    await expect(tokenOf(id)).rejects.toMatchObject({ kind: 'unauthorized' });
    const lost = await read(id);
    expect(lost).toMatchObject({
      state: 'needs_reauth',
      state_reason: expect.stringContaining('invalid_grant'),
    });
    expect(await connect(provider, address, { ref: 'after' })).toBe(id);
    expect(await read(id)).toMatchObject({ state: 'active', state_reason: null });
    expect(await tokenOf(id)).toMatch(/./);
    await cloud().waitForQuiescence();
    const events = hooks.requests.map(({ body }) => JSON.parse(body));
    expect(events.map(({ type }) => type).sort()).toEqual([
      'mailbox.connected',
      'mailbox.connected',
      'mailbox.needs_reauth',
    ]);
    expect(events.filter(({ data }) => data.mailbox_id !== id)).toEqual([]);
    const needsReauth = events.find(({ type }) => type === 'mailbox.needs_reauth');
    expect(needsReauth).toMatchObject({ space_id: null, data: { address, provider } });
  });

  it('stays active when the provider fails, and when it refuses the OAuth client', async () => {
    const app = await createApp(provider);
    const id = await connect(provider, newAddress(provider), { app_id: app });
    await cloud().advance(2 * hour);
    await inject({ kind: 'error', service: provider, action: 'token', status: 503, times: 1 });
    await expect(tokenOf(id)).rejects.toMatchObject({ kind: 'unknown' });
    await client.patch(`/oauth-apps/${app}`, { client_secret: 'expired' });
    await expect(tokenOf(id)).rejects.toMatchObject({ kind: 'refused' });
    expect(await read(id)).toMatchObject({ state: 'active' });
    await client.patch(`/oauth-apps/${app}`, { client_secret: demoClient.clientSecret });
    expect(await tokenOf(id)).toMatch(/./);
  });

  it('works after its app was deleted, whose client goes with the last mailbox', async () => {
    const app = await createApp(provider);
    const id = await connect(provider, newAddress(provider), { app_id: app });
    expect((await client.delete(`/oauth-apps/${app}`)).status).toBe(204);
    await cloud().advance(2 * hour);
    expect(await tokenOf(id)).toMatch(/./);
    expect(await read(id)).toMatchObject({ state: 'active', app_id: app });
    await client.delete(`/mailboxes/${id}`);
    await cloud().waitForQuiescence();
    expect(await findClient(own.id, app as OauthAppId)).toBeNull();
  });
});

async function createApp(provider: Provider): Promise<string> {
  const { body } = await client.post('/oauth-apps', {
    provider,
    name: 'Acme',
    slug: `${own.slug.slice(0, 50)}-${++made}`,
    client_id: demoClient.clientId,
    client_secret: demoClient.clientSecret,
  });
  return body.id;
}

describe('a consent URL', () => {
  it('is refused when it comes back after 15 minutes', async () => {
    const inTime = await begin('google');
    const late = await begin('google');
    await cloud().advance(14 * 60);
    await stopSync((await connectAt(inTime, { address: newAddress('google') })) as MailboxId);
    await cloud().advance(2 * 60);
    const page = await browse(await giveConsent(late, { address: newAddress('google') }));
    expect(page.status).toBe(400);
    expect(page.text).toContain('expired_state');
  });
});

describe('an app of one Microsoft tenant', () => {
  it.each(['as an id', 'as a domain'])(
    'refuses accounts of other tenants, the tenant given %s',
    async (form) => {
      const domain = `${own.slug}-tenant.example`;
      const insider = `anna@${domain}`;
      const { tenant_id: id } = await cloud().control<{ tenant_id: string }>(
        'POST',
        '/mailbox-providers/microsoft/accounts',
        { address: insider },
      );
      const app = await createApp('microsoft');
      await client.patch(`/oauth-apps/${app}`, { tenant: form === 'as an id' ? id : domain });
      const mailbox = await connect('microsoft', insider, { app_id: app });
      expect(await read(mailbox)).toMatchObject({ state: 'active', address: insider });
      // The tenant is set while a person of another one consents.
      const open = await createApp('microsoft');
      const callback = await giveConsent(await begin('microsoft', { app_id: open }), {
        address: `ben@other-${domain}`,
      });
      await client.patch(`/oauth-apps/${open}`, { tenant: form === 'as an id' ? id : domain });
      const { location } = await browse(callback);
      expect(location?.search).toBe('?status=error&code=invalid_tenant');
    },
  );
});

describe('a disconnection', () => {
  it('asks a provider again that does not answer, and destroys the credentials then', async () => {
    const address = newAddress('google');
    const id = await connect('google', address);
    await inject({ kind: 'error', service: 'google', action: 'revoke', status: 503, times: 2 });
    expect((await client.delete(`/mailboxes/${id}`)).body).toMatchObject({ state: 'disconnected' });
    await cloud().waitForQuiescence();
    expect(await findCredentials(own.id, id)).not.toBeNull();
    await expect(tokenOf(id)).rejects.toMatchObject({ kind: 'unauthorized' });
    await cloud().advance(60);
    await cloud().waitForQuiescence();
    expect(await findCredentials(own.id, id)).toBeNull();
    expect(await revoke('google', address)).toEqual({ tokens: 0 });
  });

  it('destroys the credentials when the provider does not answer for hours', async () => {
    const id = await connect('google', newAddress('google'));
    await inject({ kind: 'error', service: 'google', action: 'revoke', status: 503, times: 100 });
    await client.delete(`/mailboxes/${id}`);
    await cloud().waitForQuiescence();
    await cloud().advance(4 * hour);
    await cloud().waitForQuiescence();
    expect(await findCredentials(own.id, id)).toBeNull();
    expect(await read(id)).toMatchObject({ state: 'disconnected' });
  });
});
