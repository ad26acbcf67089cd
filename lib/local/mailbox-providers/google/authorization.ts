/**
 * Google's authorization endpoint with its consent page, and the token and revocation endpoints ("Using OAuth 2.0 for Web
 * Server Applications", Google Identity).
 */
import { escapeHtml } from '../../../mail/html/escape-html.ts';
import type { HttpResponse } from '../../http-server.ts';
import { requestFields, showConsent } from '../authorization-request.ts';
import { consentAnswer, providerPage } from '../consent-page.ts';
import { type Grant, isVerifierOf } from '../grants.ts';
import { formOf, jsonResponse, type ProviderCall, Refusal, redirectTo, withQuery } from '../http.ts';
import { credentialsOf, type RegisteredClient } from '../oauth-clients.ts';
import type { ProviderRoutes } from '../provider-server.ts';
import { idToken } from './openid.ts';
import { requestedScopes } from './scopes.ts';
import type { GoogleState } from './state.ts';

export function authorizationRoutes(google: GoogleState): ProviderRoutes {
  const service = 'google';
  return {
    'GET /o/oauth2/v2/auth': {
      service,
      action: 'authorize',
      handle: (call) => showConsent('Google', google, readRequest(google, call.query), null),
    },
    'POST /o/oauth2/v2/auth': { service, action: 'consent', handle: (call) => decide(google, call) },
    'POST /token': { service, action: 'token', handle: (call) => issueTokens(google, call) },
    'POST /revoke': { service, action: 'revoke', handle: (call) => revoke(google, call) },
  };
}

/** @throws Refusal with an error page: such errors are shown to the user, never sent to the redirect URI */
function readRequest(google: GoogleState, query: URLSearchParams) {
  const client = google.clients.find(query.get('client_id') ?? '');
  if (!client) throw errorPage(401, 'invalid_client', 'The OAuth client was not found.');
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!client.redirectUris.includes(redirectUri)) {
    throw errorPage(400, 'redirect_uri_mismatch', `redirect_uri: ${redirectUri}`);
  }
  if (query.get('response_type') !== 'code') {
    throw errorPage(400, 'unsupported_response_type', 'Only response_type=code is emulated.');
  }
  const scopes = requestedScopes(query.get('scope') ?? '');
  if (scopes === null) throw errorPage(400, 'invalid_scope', `scope: ${query.get('scope') ?? ''}`);
  return {
    client,
    redirectUri,
    scopes,
    ...requestFields(query, (method) =>
      errorPage(400, 'invalid_request', `code_challenge_method: ${method}`),
    ),
    isOffline: query.get('access_type') === 'offline',
    asksAgain: (query.get('prompt') ?? '').split(' ').includes('consent'),
  };
}

function errorPage(status: number, code: string, detail: string): Refusal {
  const body = `<p>Error ${status}: ${code}</p><p class="soft">${escapeHtml(detail)}</p>`;
  return new Refusal(providerPage(status, 'Access blocked', body));
}

function decide(google: GoogleState, call: ProviderCall): HttpResponse {
  const request = readRequest(google, call.query);
  const { client, redirectUri, state } = request;
  const answer = consentAnswer(formOf(call), request.scopes);
  if (answer.decision === 'unclear') return showConsent('Google', google, request, answer.error);
  if (answer.decision === 'deny') {
    return redirectTo(withQuery(redirectUri, { error: 'access_denied', state }));
  }
  const grant: Grant = {
    clientId: client.clientId,
    address: google.accounts.add({ address: answer.address }).address,
    scopes: answer.scopes,
  };
  // A refresh token comes with the first approval only, unless the client asks for consent again.
  const isOffline = request.isOffline && (request.asksAgain || !google.grants.isApproved(grant));
  google.grants.approve(grant);
  const code = google.grants.issueCode({
    ...grant,
    redirectUri,
    challenge: request.challenge,
    nonce: request.nonce,
    isOffline,
  });
  const scope = answer.scopes.join(' ');
  return redirectTo(withQuery(redirectUri, { state, code, scope, authuser: '0', prompt: 'consent' }));
}

/** An error of the token endpoint (RFC 6749 section 5.2). */
function tokenError(status: number, error: string, description: string): Refusal {
  return new Refusal(jsonResponse(status, { error, error_description: description }));
}

async function issueTokens(google: GoogleState, call: ProviderCall): Promise<HttpResponse> {
  const form = formOf(call);
  const client = authenticatedClient(google, call, form);
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return exchange(google, client, form);
    case 'refresh_token':
      return refresh(google, client, form);
    default:
      throw tokenError(400, 'unsupported_grant_type', `Invalid grant_type: ${form.get('grant_type') ?? ''}`);
  }
}

function authenticatedClient(
  { clients }: GoogleState,
  call: ProviderCall,
  form: URLSearchParams,
): RegisteredClient {
  const { clientId, clientSecret } = credentialsOf(call, form);
  const client = clients.find(clientId);
  if (!client) throw tokenError(401, 'invalid_client', 'The OAuth client was not found.');
  if (client.clientSecret !== clientSecret) throw tokenError(401, 'invalid_client', 'Unauthorized');
  return client;
}

async function exchange(
  google: GoogleState,
  client: RegisteredClient,
  form: URLSearchParams,
): Promise<HttpResponse> {
  const code = google.grants.redeem(form.get('code') ?? '');
  if (code?.clientId !== client.clientId) throw tokenError(400, 'invalid_grant', 'Malformed auth code.');
  if (code.redirectUri !== form.get('redirect_uri')) {
    throw tokenError(400, 'redirect_uri_mismatch', 'Bad Request');
  }
  const verifier = form.get('code_verifier') ?? '';
  if (code.challenge !== null && verifier === '') {
    throw tokenError(400, 'invalid_grant', 'Missing code verifier.');
  }
  if (!isVerifierOf(code, verifier)) throw tokenError(400, 'invalid_grant', 'Invalid code verifier.');
  const { address, scopes } = code;
  const grant: Grant = { clientId: client.clientId, address, scopes };
  const refreshToken = code.isOffline ? { refresh_token: google.grants.issueRefresh(grant) } : {};
  return jsonResponse(200, { ...(await accessFields(google, grant, code.nonce)), ...refreshToken });
}

/** Refresh tokens of Google stay the same. */
async function refresh(
  google: GoogleState,
  client: RegisteredClient,
  form: URLSearchParams,
): Promise<HttpResponse> {
  const grant = google.grants.ofRefresh(form.get('refresh_token') ?? '');
  if (grant?.clientId !== client.clientId) {
    throw tokenError(400, 'invalid_grant', 'Token has been expired or revoked.');
  }
  return jsonResponse(200, await accessFields(google, grant, null));
}

async function accessFields(google: GoogleState, grant: Grant, nonce: string | null) {
  const accessToken = google.grants.issueAccess(grant);
  return {
    access_token: accessToken,
    expires_in: google.accessSeconds - 1,
    scope: grant.scopes.join(' '),
    token_type: 'Bearer',
    ...(grant.scopes.includes('openid') && { id_token: await idToken(google, grant, accessToken, nonce) }),
  };
}

/** Revokes all tokens of the client and the account, with either kind of token. */
function revoke({ grants }: GoogleState, call: ProviderCall): HttpResponse {
  const token = formOf(call).get('token') ?? call.query.get('token') ?? '';
  const grant = grants.ofRefresh(token) ?? grants.ofAccess(token);
  if (!grant) throw tokenError(400, 'invalid_token', 'Token expired or revoked');
  grants.revoke(grant.address, grant.clientId);
  return jsonResponse(200, {});
}
