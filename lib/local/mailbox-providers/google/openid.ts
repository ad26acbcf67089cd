/** ID tokens, the userinfo endpoint and the key set ("OpenID Connect", Google Identity). */
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
