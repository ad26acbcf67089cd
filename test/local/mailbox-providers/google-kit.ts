/** Starts an emulated Google and goes through its consent page as a browser does. */
import { createHash } from 'node:crypto';
import { createFaults } from '../../../lib/local/aws/faults.ts';
import { createClock } from '../../../lib/local/clock.ts';
import { type GoogleOptions, startGoogle } from '../../../lib/local/mailbox-providers/google/google.ts';
import type { IncomingMail } from '../../../lib/local/ses/incoming-mail.ts';

export const redirectUri = 'http://127.0.0.1:9/callback';
export const client = {
  clientId: 'app.apps.example.test',
  clientSecret: 'app-secret',
  name: 'Acme Support',
  redirectUris: [redirectUri],
  tenantId: null,
};
export const gmailScope = 'https://www.googleapis.com/auth/gmail.modify';
export const verifier = 'v'.repeat(43);
export const challenge = createHash('sha256').update(verifier).digest('base64url');

export async function setUpGoogle(options: Partial<GoogleOptions> = {}) {
  const clock = createClock();
  const faults = createFaults();
  const delivered: IncomingMail[] = [];
  const google = await startGoogle({
    port: 0,
    clock,
    faults,
    seed: 1,
    deliver: (mail) => delivered.push(mail),
    ...options,
  });
  google.clients.register(client);
  google.accounts.add({ address: 'anna@gmail.com', name: 'Anna Berg' });
  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(google.url + path, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers,
      redirect: 'manual',
    });

  /** The consent URL with changed parameters; null removes one. */
  const consentUrl = (changes: Record<string, string | null> = {}) => {
    const parameters = {
      client_id: client.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: `openid email profile ${gmailScope}`,
      access_type: 'offline',
      prompt: 'consent',
      state: 'st',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...changes,
    };
    const url = new URL('/o/oauth2/v2/auth', google.url);
    for (const [name, value] of Object.entries(parameters))
      if (value !== null) url.searchParams.set(name, value);
    return url;
  };

  /** The address that the browser is sent to after the user's answer. */
  const answer = async (
    form: Record<string, string> = {},
    changes: Record<string, string | null> = {},
  ): Promise<URL> => {
    const url = consentUrl(changes);
    const response = await post(url.pathname + url.search, {
      decision: 'allow',
      account: 'anna@gmail.com',
      scope: gmailScope,
      ...form,
    });
    return new URL(response.headers.get('location') ?? `none:${response.status}`);
  };

  const exchange = (code: string | null, changes: Record<string, string> = {}) =>
    post('/token', {
      grant_type: 'authorization_code',
      code: code ?? '',
      client_id: client.clientId,
      client_secret: client.clientSecret,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...changes,
    });
  const refresh = (refreshToken: string) =>
    post('/token', {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: client.clientId,
      client_secret: client.clientSecret,
    });

  /** Consents and exchanges the code. */
  const tokensOf = async (form: Record<string, string> = {}, changes: Record<string, string | null> = {}) => {
    const location = await answer(form, changes);
    const response = await exchange(location.searchParams.get('code'));
    return (await response.json()) as {
      access_token: string;
      refresh_token?: string;
      id_token: string;
      expires_in: number;
      scope: string;
      token_type: string;
    };
  };

  const get = (path: string, accessToken: string) =>
    fetch(google.url + path, { headers: { authorization: `Bearer ${accessToken}` } });

  const request = async (method: string, path: string, accessToken: string, body?: unknown) => {
    const response = await fetch(google.url + path, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: JSON.parse((await response.text()) || 'null') };
  };
  /** Calls the Gmail API as Anna. */
  const gmailOf = async (changes: { scope?: string } = {}) => {
    const { access_token } = await tokensOf(
      { scope: changes.scope ?? gmailScope },
      { scope: changes.scope ?? gmailScope },
    );
    return (method: string, path: string, body?: unknown) =>
      request(method, `/gmail/v1/users/me/${path}`, access_token, body);
  };
  /** Sends a message as Anna, by a multipart upload. */
  const senderOf = async (changes: { scope?: string } = {}) => {
    const scope = changes.scope ?? gmailScope;
    const { access_token } = await tokensOf({ scope }, { scope });
    return async (
      raw: Buffer,
      metadata: { threadId?: string | undefined } = {},
      mediaType = 'message/rfc822',
    ) => {
      const part = (type: string, content: string) => `--b1\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`;
      const response = await fetch(
        `${google.url}/upload/gmail/v1/users/me/messages/send?uploadType=multipart`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${access_token}`,
            'content-type': 'multipart/related; boundary="b1"',
          },
          body: `${part('application/json', JSON.stringify(metadata))}${part(mediaType, raw.toString())}--b1--\r\n`,
        },
      );
      return { status: response.status, body: JSON.parse((await response.text()) || 'null') };
    };
  };

  const close = async () => {
    clock.close();
    await google.close();
  };
  return {
    google,
    clock,
    faults,
    delivered,
    request,
    gmailOf,
    senderOf,
    post,
    get,
    consentUrl,
    answer,
    exchange,
    refresh,
    tokensOf,
    close,
  };
}
