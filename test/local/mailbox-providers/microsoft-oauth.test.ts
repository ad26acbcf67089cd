import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { client, personal, redirectUri, setUpMicrosoft, type TokenResponse, work } from './microsoft-kit.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function setUp() {
  const kit = await setUpMicrosoft();
  closing.push(kit.close);
  const tenantId = kit.microsoft.accounts.find(work)?.tenantId ?? '';
  return { ...kit, tenantId };
}

const errorOf = async (response: Response) => {
  const { error, error_codes } = (await response.json()) as { error: string; error_codes: number[] };
  return [response.status, error, ...error_codes];
};

describe('the consent page of Microsoft', () => {
  it('asks for an account, and for all scopes together', async () => {
    const { consentUrl } = await setUp();
    const html = await (await fetch(consentUrl())).text();
    expect(html).toContain(`value="${work}" checked`);
    expect(html).toContain('<input type="checkbox" name="scope" value="Mail.Send" checked disabled>');
  });

  it('sends the browser back with a code and the state', async () => {
    const { answer } = await setUp();
    const location = new URL((await answer()).headers.get('location') ?? '');
    expect(location.origin + location.pathname).toBe(redirectUri);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      code: expect.stringMatching(/^0\.A/),
      state: 'st',
      session_state: expect.any(String),
    });
  });

  it('sends the browser back with access_denied when the user denies', async () => {
    const { answer } = await setUp();
    const location = new URL((await answer({ decision: 'deny' })).headers.get('location') ?? '');
    expect(Object.fromEntries(location.searchParams)).toEqual({
      error: 'access_denied',
      error_subcode: 'cancel',
      error_description: expect.stringContaining('AADSTS65004'),
      state: 'st',
    });
  });

  it.each([
    ['client_id', 'other', 'AADSTS700016'],
    ['redirect_uri', `${redirectUri}/`, 'AADSTS50011'],
    ['response_type', 'token', 'AADSTS900144'],
    ['scope', 'openid Nonsense.Read', 'AADSTS70011'],
  ])('shows the error, and redirects nowhere, when %s is %s', async (name, value, code) => {
    const { consentUrl } = await setUp();
    const response = await fetch(consentUrl('common', { [name]: value }), { redirect: 'manual' });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(code)]);
  });

  it.each([
    ['common', personal, 303],
    ['organizations', work, 303],
    ['organizations', personal, 400],
    ['consumers', personal, 303],
    ['consumers', work, 400],
    ['acme.test', work, 303],
    ['acme.test', personal, 400],
    ['nowhere.test', work, 400],
  ])('at the tenant %s answers %s with %i', async (tenant, account, status) => {
    const { answer } = await setUp();
    expect((await answer({ account }, tenant)).status).toBe(status);
  });

  it('admits accounts of its own tenant only to a single-tenant app, and not at common', async () => {
    const { microsoft, answer, tenantId } = await setUp();
    microsoft.clients.register({ ...client, tenantId });
    microsoft.accounts.add({ address: 'cleo@other.test' });
    expect((await answer({}, tenantId)).status).toBe(303);
    expect(await (await answer({ account: 'cleo@other.test' }, tenantId)).text()).toContain('AADSTS50020');
    expect(await (await answer({}, 'common')).text()).toContain('AADSTS50194');
    expect(await (await answer({}, 'other.test')).text()).toContain('AADSTS700016');
  });
});

describe('the token endpoint of Microsoft', () => {
  it('exchanges a code for tokens', async () => {
    const { tokensOf } = await setUp();
    expect(await tokensOf()).toEqual({
      token_type: 'Bearer',
      scope:
        'openid profile https://graph.microsoft.com/User.Read https://graph.microsoft.com/Mail.ReadWrite https://graph.microsoft.com/Mail.Send',
      expires_in: 3599,
      ext_expires_in: 3599,
      access_token: expect.stringMatching(/^EwB/),
      refresh_token: expect.stringMatching(/^0\.AX/),
      id_token: expect.any(String),
    });
  });

  it('accepts scopes with their resource, and issues a refresh token for offline_access only', async () => {
    const { tokensOf } = await setUp();
    const tokens = await tokensOf({}, 'common', { scope: 'https://graph.microsoft.com/mail.read' });
    expect(tokens.scope).toBe('https://graph.microsoft.com/Mail.Read');
    expect(tokens).not.toHaveProperty('refresh_token');
    expect(tokens).not.toHaveProperty('id_token');
  });

  it.each([
    [{ code_verifier: 'w'.repeat(43) }, [400, 'invalid_grant', 50148]],
    [{ code_verifier: '' }, [400, 'invalid_grant', 50148]],
    [{ redirect_uri: 'http://127.0.0.1:9/other' }, [400, 'invalid_client', 500112]],
    [{ client_secret: 'wrong' }, [401, 'invalid_client', 7000215]],
    [{ client_id: 'wrong' }, [400, 'unauthorized_client', 700016]],
    [{ grant_type: 'password' }, [400, 'unsupported_grant_type', 70003]],
    [{ code: 'wrong' }, [400, 'invalid_grant', 70008]],
  ])('refuses %j', async (changes, error) => {
    const { codeOf, exchange } = await setUp();
    expect(await errorOf(await exchange(await codeOf(), changes))).toEqual(error);
  });

  it('refuses a code for the second time, after ten minutes and at another tenant', async () => {
    const { microsoft, codeOf, exchange, clock } = await setUp();
    const code = await codeOf();
    expect((await exchange(code)).status).toBe(200);
    expect(await errorOf(await exchange(code))).toEqual([400, 'invalid_grant', 70008]);
    microsoft.accounts.add({ address: 'cleo@other.test' });
    expect(await errorOf(await exchange(await codeOf(), {}, 'other.test'))).toEqual([
      400,
      'invalid_grant',
      700005,
    ]);
    const old = await codeOf();
    await clock.advance(600_001);
    expect((await exchange(old)).status).toBe(400);
  });

  it('rotates refresh tokens; the used one stays valid for 90 days', async () => {
    const { tokensOf, refresh, clock } = await setUp();
    const { refresh_token = '' } = await tokensOf();
    const second = (await (await refresh(refresh_token)).json()) as TokenResponse;
    expect(second.refresh_token).not.toBe(refresh_token);
    expect((await refresh(refresh_token)).status).toBe(200);
    await clock.advance(90 * 86_400_000);
    expect(await errorOf(await refresh(refresh_token))).toEqual([400, 'invalid_grant', 50173]);
  });

  it('narrows scopes of a refresh, but does not widen them', async () => {
    const { tokensOf, refresh } = await setUp();
    const { refresh_token = '' } = await tokensOf();
    expect((await refresh(refresh_token, { scope: 'Mail.Send' })).status).toBe(200);
    expect(await errorOf(await refresh(refresh_token, { scope: 'Mail.ReadBasic' }))).toEqual([
      400,
      'invalid_grant',
      65001,
    ]);
  });

  it('refuses refresh tokens that the user or an administrator revoked', async () => {
    const { microsoft, tokensOf, refresh, graphOf } = await setUp();
    const graph = await graphOf();
    const { refresh_token = '' } = await tokensOf();
    microsoft.grants.revoke(work);
    expect(await errorOf(await refresh(refresh_token))).toEqual([400, 'invalid_grant', 50173]);
    expect((await graph('GET', '/me')).status).toBe(401);
  });

  it('fails as a fault rule says', async () => {
    const { tokensOf, refresh, faults } = await setUp();
    const { refresh_token = '' } = await tokensOf();
    const rule = { service: 'microsoft', action: 'token', principal: work };
    faults.add({ ...rule, kind: 'error', status: 400, code: 'interaction_required' });
    faults.add({ ...rule, kind: 'throttle', retryAfterSeconds: 5 });
    expect(await errorOf(await refresh(refresh_token))).toEqual([400, 'interaction_required']);
    expect((await refresh(refresh_token)).headers.get('retry-after')).toBe('5');
  });

  it('signs ID tokens in the name of the tenant of the account', async () => {
    const { microsoft, tokensOf, clock, tenantId } = await setUp();
    const { id_token } = await tokensOf({}, 'common', { nonce: 'n-1' });
    const keys = createRemoteJWKSet(new URL('/common/discovery/v2.0/keys', microsoft.url));
    const { payload } = await jwtVerify(id_token, keys, {
      issuer: `${microsoft.url}/${tenantId}/v2.0`,
      audience: client.clientId,
      currentDate: new Date(clock.now()),
    });
    expect(payload).toMatchObject({
      tid: tenantId,
      preferred_username: work,
      name: 'Anna Berg',
      nonce: 'n-1',
    });
    const { id_token: other } = await tokensOf({ account: personal });
    expect((await jwtVerify(other, keys)).payload.tid).toBe('9188040d-6c67-4c5b-b112-36a304b66dad');
  });

  it('is found by the discovery document', async () => {
    const { microsoft } = await setUp();
    const response = await fetch(`${microsoft.url}/common/v2.0/.well-known/openid-configuration`);
    expect(await response.json()).toMatchObject({
      issuer: `${microsoft.url}/{tenantid}/v2.0`,
      token_endpoint: `${microsoft.url}/common/oauth2/v2.0/token`,
    });
  });
});
