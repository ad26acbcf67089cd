/**
 * OAuth 2.0 with the mail providers: authorization code with PKCE, refresh and revocation, by oauth4webapi. The errors of
 * that library have responses of the provider as their cause, with tokens: none of them leaves this file.
 */
import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import {
  type CodeGrant,
  type OauthClient,
  ProviderError,
  type ProviderFailure,
  type Tokens,
} from '../../core/mailboxes/provider.ts';
import { clockSkewMs, now } from '../clock.ts';
import { boundedFetch, errorCode, failureOf, jsonBounds, signInErrorCode } from './http.ts';

/** The endpoints of a provider. */
export interface OauthServer {
  /** For errors: `Google`, `Microsoft`. */
  readonly provider: string;
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** null: the provider has none for single authorizations. */
  readonly revocationEndpoint: string | null;
}

/** Errors of the token endpoint (RFC 6749, 5.2), of OpenID Connect (Core, 3.1.2.6) and of single providers. */
const failures: Readonly<Record<string, ProviderFailure>> = {
  invalid_grant: 'unauthorized',
  interaction_required: 'unauthorized',
  consent_required: 'unauthorized',
  login_required: 'unauthorized',
  access_denied: 'unauthorized',
  admin_policy_enforced: 'unauthorized',
  // The OAuth client is at fault, not the authorization, which works again with a corrected client.
  invalid_client: 'refused',
  unauthorized_client: 'refused',
  deleted_client: 'refused',
  disabled_client: 'refused',
  temporarily_unavailable: 'unknown',
  server_error: 'unknown',
};

/** The URL of the consent page, for an authorization code with PKCE S256 (RFC 7636). */
export function authorizationUrl(
  { authorizationEndpoint }: OauthServer,
  parameters: Readonly<Record<string, string>>,
): string {
  const url = new URL(authorizationEndpoint);
  const all = { response_type: 'code', code_challenge_method: 'S256', ...parameters };
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
  return url.href;
}

type Claims = Readonly<Record<string, unknown>>;

/** A response of the token endpoint. */
export interface TokenResponse {
  readonly tokens: Tokens;
  /** null: those that were asked for (RFC 6749, 5.1). */
  readonly scopes: readonly string[] | null;
  /** Of the ID token; null: there is none. */
  readonly claims: Claims | null;
}

/**
 * Exchanges an authorization code. An ID token is validated but for its signature: it comes from the token endpoint by TLS
 * (OpenID Connect Core, 3.1.3.7, 6).
 *
 * @param issuerOf the issuer of an ID token, where it depends on its claims
 * @throws ProviderError
 */
export async function exchangeCode(
  server: OauthServer,
  client: OauthClient,
  { code, codeVerifier, redirectUri }: CodeGrant,
  issuerOf: (claims: Claims) => string = () => server.issuer,
): Promise<TokenResponse> {
  return await sanitized(server, async () => {
    // Here it is about the code.
    const meanings = { ...failures, invalid_grant: 'refused' } as const;
    const { as, own, secret, options } = partsOf(server, client, meanings);
    // `state` has led to the code verifier already.
    const callback = oauth.validateAuthResponse(as, own, new URLSearchParams({ code }), oauth.skipStateCheck);
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      own,
      secret,
      callback,
      redirectUri,
      codeVerifier,
      options,
    );
    const { id_token: idToken } = Object(await response.clone().json()) as { id_token?: unknown };
    const issuer = typeof idToken === 'string' ? issuerOf(decodeJwt(idToken)) : server.issuer;
    const found = await oauth.processAuthorizationCodeResponse({ ...as, issuer }, own, response);
    return tokenResponse(found);
  });
}

/** Refreshes an authorization. @throws ProviderError unauthorized where the provider refuses it for good */
export async function refreshTokens(
  server: OauthServer,
  client: OauthClient,
  refreshToken: string,
): Promise<Tokens> {
  return await sanitized(server, async () => {
    const { as, own, secret, options } = partsOf(server, client);
    const response = await oauth.refreshTokenGrantRequest(as, own, secret, refreshToken, options);
    // An ID token that comes with it says nothing new.
    const { id_token: _, ...json } = Object(await response.json());
    return tokenResponse(await oauth.processRefreshTokenResponse(as, own, Response.json(json))).tokens;
  });
}

/** Revokes a token, and the authorization with it (RFC 7009). A token that is no longer valid is no error. */
export async function revokeToken(server: OauthServer, client: OauthClient, token: string): Promise<void> {
  if (server.revocationEndpoint === null) return;
  await sanitized(server, async () => {
    const { as, own, secret, options } = partsOf(server, client);
    try {
      await oauth.revocationRequest(as, own, secret, token, options);
    } catch (error) {
      // Google's answer to a token that is revoked already.
      if (error instanceof ProviderError && error.code === 'invalid_token') return;
      throw error;
    }
  });
}

function partsOf(server: OauthServer, { clientId, clientSecret }: OauthClient, meanings = failures) {
  const { issuer, authorizationEndpoint, tokenEndpoint, revocationEndpoint } = server;
  return {
    as: {
      issuer,
      authorization_endpoint: authorizationEndpoint,
      token_endpoint: tokenEndpoint,
      ...(revocationEndpoint !== null && { revocation_endpoint: revocationEndpoint }),
    },
    own: { client_id: clientId, [oauth.clockSkew]: clockSkewMs() / 1000 },
    secret: oauth.ClientSecretPost(clientSecret),
    options: {
      // The emulators of the local cloud have no certificates; the URLs of a deployment are https.
      [oauth.allowInsecureRequests]: true,
      [oauth.customFetch]: (url: string, init: RequestInit) => fetchOk(server, url, init, meanings),
    },
  };
}

/** @throws ProviderError unless the status is 2xx */
async function fetchOk(
  { provider }: OauthServer,
  url: string,
  init: RequestInit,
  meanings: typeof failures,
): Promise<Response> {
  const { method, headers, body } = init;
  const request = {
    ...(method && { method }),
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  };
  const response = await boundedFetch(provider, url, request, jsonBounds);
  if (response.ok) return response;
  const answer = Buffer.from(await response.arrayBuffer());
  throw failureOf(provider, response, errorCode(answer), {
    failures: meanings,
    detail: signInErrorCode(answer),
  });
}

function tokenResponse(found: oauth.TokenEndpointResponse): TokenResponse {
  return {
    tokens: {
      accessToken: found.access_token,
      // Without a lifetime it is used once, and the next call refreshes it.
      expiresAt: now() + (found.expires_in ?? 0) * 1000,
      refreshToken: found.refresh_token ?? null,
    },
    scopes: found.scope === undefined ? null : found.scope.split(' ').filter(Boolean),
    claims: oauth.getValidatedIdTokenClaims(found) ?? null,
  };
}

/** Any other error becomes one without a cause: a cause may have tokens. */
async function sanitized<T>({ provider }: OauthServer, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw new ProviderError('unknown', `${provider} answered with an unexpected token response.`);
  }
}
