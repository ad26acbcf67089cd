import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { client, gmailScope, redirectUri, setUpGoogle } from './google-kit.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function setUp() {
  const kit = await setUpGoogle();
  closing.push(kit.close);
  return kit;
}

const problem = async (response: Response) => [response.status, await response.json()];

describe('the consent page of Google', () => {
  it('asks for an account and the scopes, and preselects the login hint', async () => {
    const { google, consentUrl } = await setUp();
    google.accounts.add({ address: 'ben@acme.test', name: 'Ben <b>' });
    const page = await fetch(consentUrl({ login_hint: 'ben@acme.test' }));
    const html = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(html).toContain('<h1>Acme Support asks for access to a mailbox</h1>');
    expect(html).toContain('<input type="radio" name="account" value="ben@acme.test" checked>');
    expect(html).toContain('<input type="radio" name="account" value="anna@gmail.com">');
    expect(html).toContain('Ben &lt;b&gt;');
    expect(html).toContain(`name="scope" value="${gmailScope}" checked>`);
    expect(html).not.toContain('<script');
    // A browser checks the addresses of redirects, too.
    expect(page.headers.get('content-security-policy')).toContain('form-action *');
  });

  it('offers a login hint without an account as text', async () => {
    const { consentUrl } = await setUp();
    const html = await (await fetch(consentUrl({ login_hint: 'new@acme.test' }))).text();
    expect(html).toContain('aria-describedby="other-hint" value="new@acme.test"');
    expect(html).not.toContain('value="anna@gmail.com" checked');
  });

  it('sends the browser back with a code and the state', async () => {
    const { answer } = await setUp();
    const location = await answer();
    expect(location.origin + location.pathname).toBe(redirectUri);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      state: 'st',
      code: expect.stringMatching(/^4\/0A[\w-]{70}$/),
      scope: `openid https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/userinfo.profile ${gmailScope}`,
      authuser: '0',
      prompt: 'consent',
    });
  });

  it('sends the browser back with access_denied when the user denies', async () => {
    const { answer } = await setUp();
    expect((await answer({ decision: 'deny' })).search).toBe('?error=access_denied&state=st');
  });

  it('creates an account for a typed address', async () => {
    const { google, answer, tokensOf, get } = await setUp();
    await answer({ other: 'Carla.Ruiz@Acme.test' });
    expect(google.accounts.find('carla.ruiz@acme.test')).toMatchObject({ name: 'Carla Ruiz' });
    const { access_token } = await tokensOf({ other: 'carla.ruiz@acme.test' });
    expect(await (await get('/v1/userinfo', access_token)).json()).toMatchObject({ hd: 'acme.test' });
  });

  it('is shown again when no account is chosen', async () => {
    const { consentUrl, post } = await setUp();
    const url = consentUrl();
    const response = await post(url.pathname + url.search, { decision: 'allow' });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('role="alert">Choose an account or type an address.');
  });

  it.each([
    ['client_id', 'other', 401, 'Error 401: invalid_client'],
    ['redirect_uri', `${redirectUri}/`, 400, 'Error 400: redirect_uri_mismatch'],
    ['response_type', 'token', 400, 'Error 400: unsupported_response_type'],
    ['scope', 'openid nonsense', 400, 'Error 400: invalid_scope'],
    ['scope', null, 400, 'Error 400: invalid_scope'],
    ['code_challenge_method', 'S512', 400, 'Error 400: invalid_request'],
  ])('shows the error, and redirects nowhere, when %s is %s', async (name, value, status, text) => {
    const { consentUrl } = await setUp();
    const response = await fetch(consentUrl({ [name]: value }), { redirect: 'manual' });
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(text)]);
  });
});

describe('the token endpoint of Google', () => {
  it('exchanges a code for tokens of an hour', async () => {
    const { tokensOf } = await setUp();
    expect(await tokensOf()).toEqual({
      access_token: expect.stringMatching(/^ya29\./),
      refresh_token: expect.stringMatching(/^1\/\//),
      id_token: expect.any(String),
      expires_in: 3599,
      scope: `openid https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/userinfo.profile ${gmailScope}`,
      token_type: 'Bearer',
    });
  });

  it('leaves out the scopes that the user left out', async () => {
    const { tokensOf } = await setUp();
    expect((await tokensOf({ scope: '' })).scope).not.toContain('gmail');
  });

  it('refuses a code for the second time', async () => {
    const { answer, exchange } = await setUp();
    const code = (await answer()).searchParams.get('code');
    expect((await exchange(code)).status).toBe(200);
    expect(await problem(await exchange(code))).toEqual([
      400,
      { error: 'invalid_grant', error_description: 'Malformed auth code.' },
    ]);
  });

  it('refuses a code after ten minutes', async () => {
    const { answer, exchange, clock } = await setUp();
    const code = (await answer()).searchParams.get('code');
    await clock.advance(600_001);
    expect((await exchange(code)).status).toBe(400);
  });

  it.each([
    [{ code_verifier: 'w'.repeat(43) }, 400, 'invalid_grant', 'Invalid code verifier.'],
    [{ code_verifier: '' }, 400, 'invalid_grant', 'Missing code verifier.'],
    [{ redirect_uri: 'http://127.0.0.1:9/other' }, 400, 'redirect_uri_mismatch', 'Bad Request'],
    [{ client_secret: 'wrong' }, 401, 'invalid_client', 'Unauthorized'],
    [{ client_id: 'wrong' }, 401, 'invalid_client', 'The OAuth client was not found.'],
    [{ grant_type: 'password' }, 400, 'unsupported_grant_type', 'Invalid grant_type: password'],
  ])('refuses %j', async (changes, status, error, error_description) => {
    const { answer, exchange } = await setUp();
    const code = (await answer()).searchParams.get('code');
    expect(await problem(await exchange(code, changes))).toEqual([status, { error, error_description }]);
  });

  it('refuses a code of another client', async () => {
    const { google, answer, exchange } = await setUp();
    google.clients.register({ ...client, clientId: 'other' });
    const code = (await answer()).searchParams.get('code');
    expect((await exchange(code, { client_id: 'other' })).status).toBe(400);
  });

  it('accepts the credentials of the client as HTTP Basic', async () => {
    const { answer, post } = await setUp();
    const code = (await answer({}, { code_challenge: null })).searchParams.get('code') ?? '';
    const authorization = `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`;
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    expect((await post('/token', form, { authorization })).status).toBe(200);
  });

  it('issues a refresh token with the first approval only, unless consent is asked for', async () => {
    const { tokensOf } = await setUp();
    expect(await tokensOf({}, { prompt: null })).toHaveProperty('refresh_token');
    expect(await tokensOf({}, { prompt: null })).not.toHaveProperty('refresh_token');
    expect(await tokensOf({}, { prompt: 'select_account consent' })).toHaveProperty('refresh_token');
    expect(await tokensOf({}, { access_type: null })).not.toHaveProperty('refresh_token');
  });

  it('refreshes the access token and keeps the refresh token', async () => {
    const { tokensOf, refresh, get, clock } = await setUp();
    const { access_token, refresh_token = '' } = await tokensOf();
    await clock.advance(3_600_001);
    expect((await get('/v1/userinfo', access_token)).status).toBe(401);
    const response = await refresh(refresh_token);
    const body = (await response.json()) as { access_token: string };
    expect([response.status, body]).toEqual([
      200,
      expect.not.objectContaining({ refresh_token: expect.anything() }),
    ]);
    expect((await get('/v1/userinfo', body.access_token)).status).toBe(200);
    expect((await refresh(refresh_token)).status).toBe(200);
  });

  it('invalidates the oldest refresh token of an account above 100', async () => {
    const { tokensOf, refresh } = await setUp();
    const tokens: string[] = [];
    for (let count = 0; count < 101; count++) tokens.push((await tokensOf()).refresh_token ?? '');
    expect([(await refresh(tokens[0] ?? '')).status, (await refresh(tokens[1] ?? '')).status]).toEqual([
      400, 200,
    ]);
  });

  it('fails as a fault rule says', async () => {
    const { tokensOf, refresh, faults } = await setUp();
    const { refresh_token = '' } = await tokensOf();
    const rule = { service: 'google', action: 'token', principal: 'anna@gmail.com' };
    faults.add({ ...rule, kind: 'throttle', retryAfterSeconds: 30 });
    faults.add({ ...rule, kind: 'error', status: 400, code: 'invalid_grant', message: 'Bad Request' });
    faults.add({ ...rule, kind: 'drop-before' });
    const throttled = await refresh(refresh_token);
    expect([throttled.status, throttled.headers.get('retry-after')]).toEqual([429, '30']);
    expect(await problem(await refresh(refresh_token))).toEqual([
      400,
      { error: 'invalid_grant', error_description: 'Bad Request' },
    ]);
    await expect(refresh(refresh_token)).rejects.toThrow('fetch failed');
    expect((await refresh(refresh_token)).status).toBe(200);
  });
});

describe('the revocation endpoint of Google', () => {
  it.each(['access_token', 'refresh_token'] as const)('ends all tokens with the %s', async (kind) => {
    const { tokensOf, refresh, get, post } = await setUp();
    const tokens = await tokensOf();
    expect((await post('/revoke', { token: tokens[kind] ?? '' })).status).toBe(200);
    expect((await get('/v1/userinfo', tokens.access_token)).status).toBe(401);
    expect(await problem(await refresh(tokens.refresh_token ?? ''))).toEqual([
      400,
      { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
    ]);
    expect(await problem(await post('/revoke', { token: tokens[kind] ?? '' }))).toEqual([
      400,
      { error: 'invalid_token', error_description: 'Token expired or revoked' },
    ]);
  });
});

describe('OpenID Connect of Google', () => {
  it('returns the claims of the granted scopes', async () => {
    const { tokensOf, get } = await setUp();
    const { access_token } = await tokensOf();
    expect(await (await get('/v1/userinfo', access_token)).json()).toEqual({
      sub: expect.stringMatching(/^[1-9]\d{20}$/),
      name: 'Anna Berg',
      given_name: 'Anna',
      family_name: 'Berg',
      email: 'anna@gmail.com',
      email_verified: true,
    });
    const { access_token: other } = await tokensOf({}, { scope: `openid ${gmailScope}` });
    expect(Object.keys((await (await get('/v1/userinfo', other)).json()) as object)).toEqual(['sub']);
  });

  it('signs ID tokens with a key of the key set', async () => {
    const { google, tokensOf, clock } = await setUp();
    const { id_token } = await tokensOf({}, { nonce: 'n-1' });
    const keys = createRemoteJWKSet(new URL('/oauth2/v3/certs', google.url));
    const { payload } = await jwtVerify(id_token, keys, {
      issuer: google.url,
      audience: client.clientId,
      currentDate: new Date(clock.now()),
    });
    expect(payload).toMatchObject({ email: 'anna@gmail.com', azp: client.clientId, nonce: 'n-1' });
  });

  it('answers 400 for a path that cannot be decoded', async () => {
    const { google } = await setUp();
    expect((await fetch(`${google.url}/mail/%E0%A4%A`)).status).toBe(400);
  });

  it('answers 404 in the form of Google for other paths', async () => {
    const { google } = await setUp();
    const [status, body] = await problem(await fetch(`${google.url}/nothing`));
    expect([status, body]).toEqual([404, { error: expect.objectContaining({ status: 'NOT_FOUND' }) }]);
  });
});
