/** ID tokens, the userinfo endpoint, the key set and the discovery document ("OpenID Connect", Google Identity). */
import { createHash } from 'node:crypto';
import { domainOf } from '../../ses/outcomes.ts';
import type { ProviderAccount } from '../accounts.ts';
import type { Grant } from '../grants.ts';
import { bearerOf, jsonResponse, type ProviderCall, Refusal } from '../http.ts';
import type { ProviderRoutes } from '../provider-server.ts';
import { publicKeySet, signJwt } from '../signing-key.ts';
import { userinfoEmail, userinfoProfile } from './scopes.ts';
import type { GoogleState } from './state.ts';

export function openIdRoutes(google: GoogleState): ProviderRoutes {
  const service = 'google';
  return {
    'GET /v1/userinfo': { service, action: 'userinfo', handle: (call) => userinfo(google, call) },
    'GET /oauth2/v3/certs': {
      service,
      action: 'certs',
      handle: async () =>
        jsonResponse(200, await publicKeySet(), {
          'cache-control': 'public, max-age=19800, must-revalidate',
        }),
    },
    'GET /.well-known/openid-configuration': {
      service,
      action: 'discovery',
      handle: () => jsonResponse(200, discoveryDocument(google.url())),
    },
  };
}

/** Claims of an account, by the granted scopes. */
function claimsOf({ id, address, name }: ProviderAccount, scopes: readonly string[]) {
  const [given_name, ...family] = name.split(' ');
  const domain = domainOf(address);
  return {
    sub: id,
    ...(scopes.includes(userinfoProfile) && {
      name,
      given_name,
      ...(family.length > 0 && { family_name: family.join(' ') }),
    }),
    ...(scopes.includes(userinfoEmail) && { email: address, email_verified: true }),
    // Accounts of Google Workspace have a hosted domain.
    ...(domain !== 'gmail.com' && { hd: domain }),
  };
}

/** @throws Refusal where the account is not there */
function accountOf({ accounts }: GoogleState, grant: Grant | null): ProviderAccount {
  const account = grant && accounts.find(grant.address);
  if (account) return account;
  const error = { error: 'invalid_request', error_description: 'Invalid Credentials' };
  throw new Refusal(jsonResponse(401, error, { 'www-authenticate': 'Bearer error="invalid_token"' }));
}

/** An ID token (OpenID Connect Core 1.0 section 2). @param nonce of the authorization request; null: none */
export function idToken(
  google: GoogleState,
  grant: Grant,
  accessToken: string,
  nonce: string | null,
): Promise<string> {
  const iat = Math.floor(google.now() / 1000);
  const hash = createHash('sha256').update(accessToken).digest();
  return signJwt({
    iss: google.url(),
    azp: grant.clientId,
    aud: grant.clientId,
    ...claimsOf(accountOf(google, grant), grant.scopes),
    at_hash: hash.subarray(0, 16).toString('base64url'),
    ...(nonce !== null && { nonce }),
    iat,
    exp: iat + 3600,
  });
}

function userinfo(google: GoogleState, call: ProviderCall) {
  const grant = google.grants.ofAccess(bearerOf(call) ?? '');
  const account = accountOf(google, grant);
  return jsonResponse(200, claimsOf(account, grant?.scopes ?? []));
}

function discoveryDocument(url: string) {
  return {
    issuer: url,
    authorization_endpoint: `${url}/o/oauth2/v2/auth`,
    token_endpoint: `${url}/token`,
    userinfo_endpoint: `${url}/v1/userinfo`,
    revocation_endpoint: `${url}/revoke`,
    jwks_uri: `${url}/oauth2/v3/certs`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    code_challenge_methods_supported: ['plain', 'S256'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
  };
}
