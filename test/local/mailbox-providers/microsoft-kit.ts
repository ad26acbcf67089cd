/** Starts an emulated Microsoft and goes through its consent page as a browser does. */
import { createFaults } from '../../../lib/local/aws/faults.ts';
import { createClock } from '../../../lib/local/clock.ts';
import {
  type MicrosoftOptions,
  startMicrosoft,
} from '../../../lib/local/mailbox-providers/microsoft/microsoft.ts';
import type { IncomingMail } from '../../../lib/local/ses/incoming-mail.ts';
import { challenge, client, redirectUri, verifier } from './google-kit.ts';

export { client, redirectUri, verifier };

export const mailScopes = 'User.Read Mail.ReadWrite Mail.Send';
/** Of a work account, and of a personal one. */
export const work = 'anna@acme.test';
export const personal = 'ben@outlook.com';

export interface TokenResponse {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly id_token: string;
  readonly scope: string;
}

export async function setUpMicrosoft(options: Partial<MicrosoftOptions> = {}) {
  const clock = createClock();
  const faults = createFaults();
  const delivered: IncomingMail[] = [];
  const microsoft = await startMicrosoft({
    port: 0,
    clock,
    faults,
    seed: 1,
    deliver: (mail) => delivered.push(mail),
    ...options,
  });
  microsoft.clients.register(client);
  microsoft.accounts.add({ address: work, name: 'Anna Berg' });
  microsoft.accounts.add({ address: personal });
  const post = (path: string, form: Record<string, string>) =>
    fetch(microsoft.url + path, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

  /** The consent URL with changed parameters; null removes one. */
  const consentUrl = (tenant = 'common', changes: Record<string, string | null> = {}) => {
    const parameters = {
      client_id: client.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: `openid profile offline_access ${mailScopes}`,
      state: 'st',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...changes,
    };
    const url = new URL(`/${tenant}/oauth2/v2.0/authorize`, microsoft.url);
    for (const [name, value] of Object.entries(parameters))
      if (value !== null) url.searchParams.set(name, value);
    return url;
  };

  const answer = (
    form: Record<string, string> = {},
    tenant = 'common',
    changes: Record<string, string | null> = {},
  ) => {
    const url = consentUrl(tenant, changes);
    return post(url.pathname + url.search, { decision: 'allow', account: work, ...form });
  };
  const codeOf = async (...given: Parameters<typeof answer>) =>
    new URL((await answer(...given)).headers.get('location') ?? 'none:').searchParams.get('code') ?? '';

  const exchange = (code: string, changes: Record<string, string> = {}, tenant = 'common') =>
    post(`/${tenant}/oauth2/v2.0/token`, {
      grant_type: 'authorization_code',
      code,
      client_id: client.clientId,
      client_secret: client.clientSecret,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...changes,
    });
  const refresh = (refreshToken: string, changes: Record<string, string> = {}) =>
    post('/common/oauth2/v2.0/token', {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: client.clientId,
      client_secret: client.clientSecret,
      ...changes,
    });
  const tokensOf = async (...given: Parameters<typeof answer>) =>
    (await (await exchange(await codeOf(...given))).json()) as TokenResponse;

  /** Calls Microsoft Graph as Anna, or with another scope. */
  const graphOf = async (scope = mailScopes) => {
    const { access_token } = await tokensOf({}, 'common', { scope: `openid ${scope}` });
    return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const isText = typeof body === 'string';
      const response = await fetch(path.startsWith('http') ? path : `${microsoft.url}/v1.0${path}`, {
        method,
        headers: {
          authorization: `Bearer ${access_token}`,
          'content-type': isText ? 'text/plain' : 'application/json',
          ...headers,
        },
        ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      return { status: response.status, body: isJson ? JSON.parse(text) : text };
    };
  };

  const close = async () => {
    clock.close();
    await microsoft.close();
  };
  return {
    microsoft,
    clock,
    faults,
    delivered,
    consentUrl,
    answer,
    codeOf,
    exchange,
    refresh,
    tokensOf,
    graphOf,
    close,
  };
}
