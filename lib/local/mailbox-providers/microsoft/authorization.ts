/**
 * The authorization endpoint of each tenant with its consent page, and the token endpoint ("Microsoft identity platform and
 * OAuth 2.0 authorization code flow").
 */
import type { HttpResponse } from '../../http-server.ts';
import type { ProviderAccount } from '../accounts.ts';
import { requestFields, showConsent } from '../authorization-request.ts';
import { consentAnswer } from '../consent-page.ts';
import { type AuthorizationCode, type Grant, isVerifierOf } from '../grants.ts';
import { formOf, jsonResponse, type ProviderCall, redirectTo, withQuery } from '../http.ts';
import { credentialsOf, type RegisteredClient } from '../oauth-clients.ts';
import type { ProviderRoutes } from '../provider-server.ts';
import { signInError, tokenError } from './errors.ts';
import { idToken } from './openid.ts';
import { requestedScopes, scopeText } from './scopes.ts';
import type { MicrosoftState } from './state.ts';
import { type Authority, admits, authorityOf } from './tenants.ts';

export function authorizationRoutes(microsoft: MicrosoftState): ProviderRoutes {
  const service = 'microsoft';
  return {
    'GET /{tenant}/oauth2/v2.0/authorize': {
      service,
      action: 'authorize',
      handle: (call) => showConsent('Microsoft', microsoft, readRequest(microsoft, call), null),
    },
    'POST /{tenant}/oauth2/v2.0/authorize': {
      service,
      action: 'consent',
      handle: (call) => decide(microsoft, call),
    },
    'POST /{tenant}/oauth2/v2.0/token': {
      service,
      action: 'token',
      handle: (call) => issueTokens(microsoft, call),
    },
  };
}

/** @throws Refusal with an error page */
function readRequest(microsoft: MicrosoftState, { query, parameters }: ProviderCall) {
  const clientId = query.get('client_id') ?? '';
  const client = microsoft.clients.find(clientId);
  if (!client) {
    throw signInError(700016, `Application with identifier '${clientId}' was not found in the directory.`);
  }
  const authority = authorityOf(parameters.tenant ?? '');
  checkAuthority(microsoft, client, authority);
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!client.redirectUris.includes(redirectUri)) {
    throw signInError(
      50011,
      `The redirect URI '${redirectUri}' specified in the request does not match the redirect URIs configured for the application '${clientId}'.`,
    );
  }
  if (query.get('response_type') !== 'code' || (query.get('response_mode') ?? 'query') !== 'query') {
    throw signInError(900144, 'Only response_type=code with response_mode=query is emulated.');
  }
  const scopes = requestedScopes(query.get('scope') ?? '');
  if (scopes === null) {
    throw signInError(
      70011,
      `The provided value for the input parameter 'scope' is not valid: ${query.get('scope')}`,
    );
  }
  return {
    client,
    authority,
    redirectUri,
    scopes,
    ...requestFields(query, (method) => signInError(501491, `Invalid code_challenge_method: ${method}`)),
  };
}

function checkAuthority(
  { accounts }: MicrosoftState,
  { clientId, tenantId }: RegisteredClient,
  authority: Authority,
): void {
  if (tenantId !== null && typeof authority === 'string') {
    throw signInError(
      50194,
      `Application '${clientId}' is not configured as a multi-tenant application. Usage of the /common endpoint is not supported for such apps.`,
    );
  }
  if (typeof authority === 'string') return;
  const isKnown = accounts.list().some((account) => account.tenantId === authority.tenantId);
  if (!isKnown && tenantId !== authority.tenantId) {
    throw signInError(90002, `Tenant '${authority.tenantId}' not found.`);
  }
  if (tenantId !== null && tenantId !== authority.tenantId) {
    throw signInError(700016, `Application with identifier '${clientId}' was not found in the directory.`);
  }
}

function decide(microsoft: MicrosoftState, call: ProviderCall): HttpResponse {
  const request = readRequest(microsoft, call);
  const { authority, client, redirectUri, state } = request;
  const answer = consentAnswer(formOf(call), request.scopes);
  if (answer.decision === 'unclear') return showConsent('Microsoft', microsoft, request, answer.error);
  if (answer.decision === 'deny') {
    return redirectTo(
      withQuery(redirectUri, {
        error: 'access_denied',
        error_subcode: 'cancel',
        error_description: 'AADSTS65004: User declined to consent to access the app.',
        state,
      }),
    );
  }
  const account = microsoft.accounts.add({ address: answer.address });
  if (!admits(authority, account)) {
    throw signInError(
      50020,
      `User account '${account.address}' does not exist in tenant '${call.parameters.tenant}' and cannot access the application '${client.clientId}' in that tenant.`,
    );
  }
  const grant: Grant = { clientId: client.clientId, address: account.address, scopes: answer.scopes };
  microsoft.grants.approve(grant);
  const code = microsoft.grants.issueCode({
    ...grant,
    redirectUri,
    challenge: request.challenge,
    nonce: request.nonce,
    isOffline: answer.scopes.includes('offline_access'),
  });
  return redirectTo(withQuery(redirectUri, { code, state, session_state: microsoft.text.uuid() }));
}

async function issueTokens(microsoft: MicrosoftState, call: ProviderCall): Promise<HttpResponse> {
  const form = formOf(call);
  const client = authenticatedClient(microsoft, call, form);
  const grantType = form.get('grant_type') ?? '';
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    const message = `The app requested an unsupported grant type '${grantType}'.`;
    throw tokenError(microsoft, { status: 400, error: 'unsupported_grant_type', code: 70003, message });
  }
  const found =
    grantType === 'refresh_token'
      ? refreshedGrant(microsoft, client, form)
      : redeemedCode(microsoft, client, form);
  const account = accountAt(microsoft, call, found);
  const { scopes } = found;
  const grant: Grant = { clientId: client.clientId, address: account.address, scopes };
  return jsonResponse(200, {
    token_type: 'Bearer',
    scope: scopeText(scopes),
    expires_in: microsoft.accessSeconds - 1,
    ext_expires_in: microsoft.accessSeconds - 1,
    access_token: microsoft.grants.issueAccess(grant),
    // A new one with each use; the used one stays valid ("Refresh tokens in the Microsoft identity platform").
    ...(scopes.includes('offline_access') && { refresh_token: microsoft.grants.issueRefresh(grant) }),
    ...(scopes.includes('openid') && {
      id_token: await idToken(microsoft, grant, account, found.nonce),
    }),
  });
}

function authenticatedClient(
  microsoft: MicrosoftState,
  call: ProviderCall,
  form: URLSearchParams,
): RegisteredClient {
  const { clientId, clientSecret } = credentialsOf(call, form);
  const client = microsoft.clients.find(clientId);
  if (!client) {
    const message = `Application with identifier '${clientId}' was not found in the directory.`;
    throw tokenError(microsoft, { status: 400, error: 'unauthorized_client', code: 700016, message });
  }
  if (client.clientSecret !== clientSecret) {
    const message = `Invalid client secret provided for app '${clientId}'.`;
    throw tokenError(microsoft, { status: 401, error: 'invalid_client', code: 7000215, message });
  }
  return client;
}

/** The account of a grant, if the tenant of the URL admits it. */
function accountAt(microsoft: MicrosoftState, call: ProviderCall, { address }: Grant): ProviderAccount {
  const account = microsoft.accounts.find(address);
  if (account && admits(authorityOf(call.parameters.tenant ?? ''), account)) return account;
  const message = 'Provided Authorization Code is intended to use against other tenant, thus rejected.';
  throw tokenError(microsoft, { status: 400, error: 'invalid_grant', code: 700005, message });
}

function redeemedCode(
  microsoft: MicrosoftState,
  client: RegisteredClient,
  form: URLSearchParams,
): AuthorizationCode {
  const code = microsoft.grants.redeem(form.get('code') ?? '');
  const refuse = (status: number, error: string, number: number, message: string) =>
    tokenError(microsoft, { status, error, code: number, message });
  if (code?.clientId !== client.clientId) {
    throw refuse(
      400,
      'invalid_grant',
      70008,
      'The provided authorization code or refresh token has expired.',
    );
  }
  if (code.redirectUri !== form.get('redirect_uri')) {
    const message =
      'The reply address does not match the one provided when requesting the authorization code.';
    throw refuse(400, 'invalid_client', 500112, message);
  }
  if (!isVerifierOf(code, form.get('code_verifier') ?? '')) {
    const message =
      'The code_verifier does not match the code_challenge supplied in the authorization request.';
    throw refuse(400, 'invalid_grant', 50148, message);
  }
  return code;
}

/** The scopes may be narrowed, never widened. */
function refreshedGrant(
  microsoft: MicrosoftState,
  client: RegisteredClient,
  form: URLSearchParams,
): Grant & { readonly nonce: null } {
  const grant = microsoft.grants.ofRefresh(form.get('refresh_token') ?? '');
  if (grant?.clientId !== client.clientId) {
    const message = 'The provided grant has expired due to it being revoked, a fresh auth token is needed.';
    throw tokenError(microsoft, { status: 400, error: 'invalid_grant', code: 50173, message });
  }
  const wanted = requestedScopes(form.get('scope') ?? '');
  if (wanted?.some(({ scope }) => !grant.scopes.includes(scope))) {
    const message = `The user or administrator has not consented to use the application with ID '${client.clientId}'.`;
    throw tokenError(microsoft, { status: 400, error: 'invalid_grant', code: 65001, message });
  }
  return { ...grant, nonce: null };
}
