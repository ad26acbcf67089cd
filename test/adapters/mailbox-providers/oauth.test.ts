import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import {
  authorizationUrl,
  exchangeCode,
  type OauthServer,
  refreshTokens,
  revokeToken,
} from '../../../lib/adapters/mailbox-providers/oauth.ts';
import { ProviderError } from '../../../lib/core/mailboxes/provider.ts';

const client = { clientId: 'client-1', clientSecret: 'GOCSPX-secret', tenant: null, pubsubTopic: null };
const grant = { code: '4/code', codeVerifier: 'v'.repeat(43), redirectUri: 'https://api.acme.test/callback' };
const secrets = [client.clientSecret, grant.code, grant.codeVerifier, 'ya29.access', '1//refresh', 'rotated'];
const granted = { access_token: 'ya29.access', token_type: 'Bearer', expires_in: 3599 };

let answer: { status: number; body: unknown } = { status: 200, body: {} };
let asked: { path: string; form: Record<string, string> }[] = [];
let server: OauthServer;
const receiver = createServer(async (request: IncomingMessage, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
  asked.push({ path: request.url ?? '', form });
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer.body));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  server = {
    provider: 'Example',
    issuer: base,
    authorizationEndpoint: `${base}/auth`,
    tokenEndpoint: `${base}/token`,
    revocationEndpoint: `${base}/revoke`,
  };
});
beforeEach(() => {
  asked = [];
});
afterAll(() => {
  receiver.close();
});

/** What a call throws. */
async function failureOf(call: Promise<unknown>): Promise<ProviderError> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProviderError)) throw new Error('expected a ProviderError');
  const text = [error.message, error.stack, JSON.stringify(error.cause ?? '')].join('\n');
  for (const secret of secrets) expect(text).not.toContain(secret);
  return error;
}

describe('authorizationUrl', () => {
  it('asks for a code with PKCE S256', () => {
    const url = new URL(authorizationUrl(server, { client_id: 'a', state: 's&t', code_challenge: 'c' }));
    expect(url.pathname).toBe('/auth');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      code_challenge_method: 'S256',
      client_id: 'a',
      state: 's&t',
      code_challenge: 'c',
    });
  });
});

describe('exchangeCode', () => {
  it('posts the code with its verifier, and returns tokens with scopes', async () => {
    answer = { status: 200, body: { ...granted, refresh_token: '1//refresh', scope: 'a b' } };
    const before = now();
    const { tokens, scopes, claims } = await exchangeCode(server, client, grant);
    expect(tokens).toMatchObject({ accessToken: 'ya29.access', refreshToken: '1//refresh' });
    expect(tokens.expiresAt - before).toBeGreaterThanOrEqual(3_599_000);
    expect(scopes).toEqual(['a', 'b']);
    expect(claims).toBeNull();
    expect(asked).toEqual([
      {
        path: '/token',
        form: {
          grant_type: 'authorization_code',
          code: grant.code,
          code_verifier: grant.codeVerifier,
          redirect_uri: grant.redirectUri,
          client_id: 'client-1',
          client_secret: client.clientSecret,
        },
      },
    ]);
  });

  const idToken = (claims: Record<string, unknown>) => {
    const token = new UnsecuredJWT({ sub: 'x', aud: 'client-1', iss: server.issuer, ...claims })
      .setIssuedAt()
      .setExpirationTime('1h')
      .encode();
    // RS256 in the header; the signature is not looked at.
    const [, payload] = token.split('.');
    return `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${payload}.c2ln`;
  };

  it('takes the issuer of an ID token from its claims, where the provider has one for each tenant', async () => {
    const iss = 'https://login.example/t-1/v2.0';
    answer = { status: 200, body: { ...granted, id_token: idToken({ iss, tid: 't-1' }) } };
    const issuerOf = ({ tid }: Readonly<Record<string, unknown>>) => `https://login.example/${tid}/v2.0`;
    expect((await exchangeCode(server, client, grant, issuerOf)).claims).toMatchObject({ tid: 't-1' });
    await failureOf(exchangeCode(server, client, grant, () => 'https://other.example'));
  });

  it.each([
    ['for another client', { aud: 'client-2' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['that has expired', { exp: 1 }],
  ])('refuses an ID token %s', async (_, claims) => {
    const good = idToken({});
    const [header, payload = '', signature] = good.split('.');
    const changed = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...claims };
    const forged = Buffer.from(JSON.stringify(changed)).toString('base64url');
    answer = { status: 200, body: { ...granted, id_token: [header, forged, signature].join('.') } };
    expect((await failureOf(exchangeCode(server, client, grant))).kind).toBe('unknown');
  });
});

describe('refreshTokens', () => {
  it('returns the rotated refresh token, or null where there is none', async () => {
    answer = { status: 200, body: { ...granted, refresh_token: 'rotated', id_token: 'ignored' } };
    expect(await refreshTokens(server, client, '1//refresh')).toMatchObject({ refreshToken: 'rotated' });
    answer = { status: 200, body: granted };
    expect(await refreshTokens(server, client, '1//refresh')).toMatchObject({ refreshToken: null });
    expect(asked[0]?.form).toMatchObject({ grant_type: 'refresh_token', refresh_token: '1//refresh' });
  });

  it.each([
    [400, 'invalid_grant', 'unauthorized'],
    [400, 'interaction_required', 'unauthorized'],
    [400, 'admin_policy_enforced', 'unauthorized'],
    [401, 'invalid_client', 'refused'],
    [400, 'unauthorized_client', 'refused'],
    [400, 'invalid_request', 'refused'],
    [429, 'rate_limited', 'throttled'],
    [503, 'temporarily_unavailable', 'unknown'],
    [500, 'server_error', 'unknown'],
  ])(
    'fails as the error means, without a token, when the provider answers %i %s',
    async (status, error, kind) => {
      answer = { status, body: { error, error_description: 'about ya29.access and GOCSPX-secret' } };
      expect((await failureOf(refreshTokens(server, client, '1//refresh'))).kind).toBe(kind);
    },
  );

  it('names the code of Microsoft that says why', async () => {
    answer = { status: 400, body: { error: 'invalid_grant', error_codes: [50173, 1] } };
    const { message, code } = await failureOf(refreshTokens(server, client, '1//refresh'));
    expect([message, code]).toEqual(['Example answered 400 (invalid_grant, AADSTS50173).', 'AADSTS50173']);
    answer = { status: 400, body: { error: 'invalid_grant', error_codes: ['ya29.access'] } };
    expect((await failureOf(refreshTokens(server, client, '1//refresh'))).code).toBe('invalid_grant');
  });

  it.each([
    ['no token', {}],
    ['a token that is no string', { ...granted, access_token: 7 }],
    ['another type of token', { ...granted, token_type: 'mac' }],
    ['no object', 'ya29.access'],
  ])('fails as unknown when the answer has %s', async (_, body) => {
    answer = { status: 200, body };
    expect((await failureOf(refreshTokens(server, client, '1//refresh'))).kind).toBe('unknown');
  });
});

describe('revokeToken', () => {
  it('succeeds when the token is revoked already', async () => {
    answer = { status: 400, body: { error: 'invalid_token' } };
    await revokeToken(server, client, '1//refresh');
    expect(asked).toMatchObject([{ path: '/revoke', form: { token: '1//refresh' } }]);
  });

  it('fails when the provider does', async () => {
    answer = { status: 503, body: {} };
    expect((await failureOf(revokeToken(server, client, '1//refresh'))).kind).toBe('unknown');
  });

  it('asks nothing when the provider has no endpoint for it', async () => {
    await revokeToken({ ...server, revocationEndpoint: null }, client, '1//refresh');
    expect(asked).toEqual([]);
  });
});
