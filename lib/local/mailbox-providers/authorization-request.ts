/** The parts of an authorization request that every provider reads alike (RFC 6749 section 4.1.1, RFC 7636 section 4.3). */
import type { HttpResponse } from '../http-server.ts';
import { consentPage, type RequestedScope } from './consent-page.ts';
import type { AuthorizationCode } from './grants.ts';
import type { Refusal } from './http.ts';
import type { RegisteredClient } from './oauth-clients.ts';
import type { ProviderState } from './provider-state.ts';

/** @param refuse for a method that is not known */
export function requestFields(query: URLSearchParams, refuse: (method: string) => Refusal) {
  return {
    challenge: challengeOf(query, refuse),
    state: query.get('state'),
    loginHint: query.get('login_hint'),
    nonce: query.get('nonce'),
  };
}

function challengeOf(
  query: URLSearchParams,
  refuse: (method: string) => Refusal,
): AuthorizationCode['challenge'] {
  const value = query.get('code_challenge');
  if (value === null) return null;
  const method = query.get('code_challenge_method') ?? 'plain';
  if (method !== 'S256' && method !== 'plain') throw refuse(method);
  return { value, method };
}

interface Asked {
  readonly client: RegisteredClient;
  readonly scopes: readonly RequestedScope[];
  readonly loginHint: string | null;
}

/** @param error why the page is shown again; null: it is not */
export function showConsent(
  provider: string,
  { accounts }: Pick<ProviderState, 'accounts'>,
  { client, scopes, loginHint }: Asked,
  error: string | null,
): HttpResponse {
  return consentPage({
    provider,
    clientName: client.name,
    accounts: accounts.list(),
    scopes,
    loginHint,
    error,
  });
}
