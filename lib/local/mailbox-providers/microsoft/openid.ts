/** ID tokens, the key set and the discovery document ("ID token claims reference"; "OpenID Connect on the Microsoft identity platform"). */

import type { ProviderAccount } from '../accounts.ts';
import type { Grant } from '../grants.ts';
import { jsonResponse } from '../http.ts';
import type { ProviderRoutes } from '../provider-server.ts';
import { publicKeySet, signJwt } from '../signing-key.ts';
import type { MicrosoftState } from './state.ts';
import { tenantOf } from './tenants.ts';

export function openIdRoutes(microsoft: MicrosoftState): ProviderRoutes {
  const service = 'microsoft';
  return {
    'GET /{tenant}/discovery/v2.0/keys': {
      service,
      action: 'keys',
      handle: async () => jsonResponse(200, await publicKeySet()),
    },
    'GET /{tenant}/v2.0/.well-known/openid-configuration': {
      service,
      action: 'discovery',
      handle: ({ parameters: { tenant = 'common' } }) =>
        jsonResponse(200, discoveryDocument(microsoft.url(), tenant)),
    },
  };
}

/** @param nonce of the authorization request; null: none */
export function idToken(
  { now, url }: MicrosoftState,
  { clientId }: Grant,
  { id, address, name, tenantId }: ProviderAccount,
  nonce: string | null,
): Promise<string> {
  const iat = Math.floor(now() / 1000);
  return signJwt({
    aud: clientId,
    iss: `${url()}/${tenantId}/v2.0`,
    iat,
    nbf: iat,
    exp: iat + 3600,
    name,
    oid: id,
    preferred_username: address,
    email: address,
    sub: `${id}.${clientId}`,
    tid: tenantId,
    ver: '2.0',
    ...(nonce !== null && { nonce }),
  });
}

/** `common` and its like have an issuer with a placeholder for the tenant. */
function discoveryDocument(url: string, tenant: string) {
  const isShared = ['common', 'organizations', 'consumers'].includes(tenant);
  return {
    token_endpoint: `${url}/${tenant}/oauth2/v2.0/token`,
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    jwks_uri: `${url}/${tenant}/discovery/v2.0/keys`,
    response_modes_supported: ['query'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    response_types_supported: ['code'],
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    // That of a domain has the id of its tenant.
    issuer: `${url}/${isShared ? '{tenantid}' : tenant.includes('.') ? tenantOf(tenant) : tenant}/v2.0`,
    authorization_endpoint: `${url}/${tenant}/oauth2/v2.0/authorize`,
  };
}
