/** Authorization of Gmail mailboxes ("Using OAuth 2.0 for Web Server Applications", Google Identity). */
import {
  type Authorized,
  type ProviderAccount,
  type ProviderAuthorization,
  ProviderError,
} from '../../../core/mailboxes/provider.ts';
import { endpoints } from '../endpoints.ts';
import { callForJson } from '../http.ts';
import { authorizationUrl, exchangeCode, type OauthServer, refreshTokens, revokeToken } from '../oauth.ts';

const provider = 'Google';

/** What the mail half needs: reading with push notifications and history, and sending ("Choose Gmail API scopes"). */
const mailScopes = [
  'https://www.googleapis.com/auth/gmail.readonly',
  'https://www.googleapis.com/auth/gmail.send',
];
const scopes = ['openid', 'email', 'profile', ...mailScopes];

function server(): OauthServer {
  const { accounts, oauth } = endpoints().google;
  return {
    provider,
    issuer: accounts,
    authorizationEndpoint: `${accounts}/o/oauth2/v2/auth`,
    tokenEndpoint: `${oauth}/token`,
    revocationEndpoint: `${oauth}/revoke`,
  };
}

export const googleAuthorization: ProviderAuthorization = {
  consentUrl: (client, { redirectUri, state, codeChallenge }) =>
    authorizationUrl(server(), {
      client_id: client.clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state,
      code_challenge: codeChallenge,
      // Google gives a refresh token with a consent only ("Refreshing an access token (offline access)").
      access_type: 'offline',
      prompt: 'consent',
    }),

  async exchangeCode(client, grant): Promise<Authorized> {
    const { tokens, scopes: granted } = await exchangeCode(server(), client, grant);
    const { refreshToken } = tokens;
    if (refreshToken === null) throw new ProviderError('refused', 'Google gave no refresh token.');
    // The person may leave out single permissions ("How to handle granular permissions").
    if (granted !== null && !mailScopes.every((scope) => granted.includes(scope))) {
      throw new ProviderError('unauthorized', 'The permission to read or to send mail was not granted.');
    }
    return {
      tokens: { ...tokens, refreshToken },
      account: await googleAccountOf(endpoints().google.openid, tokens.accessToken),
    };
  },

  refresh: (client, refreshToken) => refreshTokens(server(), client, refreshToken),

  revoke: (client, refreshToken) => revokeToken(server(), client, refreshToken),
};

/**
 * The account of a token ("OpenID Connect", Google Identity: obtaining user profile information).
 *
 * @param base of OpenID Connect, without a final slash
 * @throws ProviderError refused where its address is not verified
 */
export async function googleAccountOf(base: string, accessToken: string): Promise<ProviderAccount> {
  const url = `${base}/v1/userinfo`;
  const {
    sub: id,
    email,
    email_verified,
    name,
  } = Object(await callForJson({ provider, method: 'GET', url, accessToken }));
  if (typeof id !== 'string' || id === '' || typeof email !== 'string' || !email.includes('@')) {
    throw new ProviderError('refused', 'The Google account has no email address.');
  }
  // An account can be made with an address of somebody else, which is not verified then.
  if (email_verified !== true) {
    throw new ProviderError('refused', 'The email address of the Google account is not verified.');
  }
  return { id, address: email.toLowerCase(), name: typeof name === 'string' && name !== '' ? name : null };
}
