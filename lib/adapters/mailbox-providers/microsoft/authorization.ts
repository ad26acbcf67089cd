/** Authorization of Microsoft 365 and Outlook.com mailboxes ("Microsoft identity platform and OAuth 2.0 authorization code flow"). */
import {
  type Authorized,
  type CodeGrant,
  type OauthClient,
  type ProviderAccount,
  type ProviderAuthorization,
  ProviderError,
} from '../../../core/mailboxes/provider.ts';
import { endpoints } from '../endpoints.ts';
import { boundedFetch, callForJson, failureOf, parsedJson } from '../http.ts';
import {
  authorizationUrl,
  exchangeCode,
  type OauthServer,
  refreshTokens,
  type TokenResponse,
} from '../oauth.ts';
import { orNull } from '../parsed-answer.ts';

const provider = 'Microsoft';

/** What the mail half needs ("Microsoft Graph permissions reference"); `User.Read` gives the address and the name. */
const mailScopes = ['Mail.Read', 'Mail.Send'];
const graphScopes = ['User.Read', ...mailScopes].map((scope) => `https://graph.microsoft.com/${scope}`);
const scopes = ['openid', 'profile', 'offline_access', ...graphScopes];

/** The endpoints of the only tenant that may connect, or of every tenant and personal accounts. */
function server({ tenant }: Pick<OauthClient, 'tenant'>): OauthServer {
  const base = `${endpoints().microsoft.login}/${encodeURIComponent(tenant ?? 'common')}`;
  return {
    provider,
    issuer: `${base}/v2.0`,
    authorizationEndpoint: `${base}/oauth2/v2.0/authorize`,
    tokenEndpoint: `${base}/oauth2/v2.0/token`,
    // Only all sessions of a user can be revoked ("user: revokeSignInSessions", Microsoft Graph).
    revocationEndpoint: null,
  };
}

/** The issuer of an ID token has the tenant of the account, whatever tenant was asked ("ID token claims reference"). */
const issuerOf = ({ tid }: Readonly<Record<string, unknown>>): string =>
  `${endpoints().microsoft.login}/${String(tid)}/v2.0`;

export const microsoftAuthorization: ProviderAuthorization = {
  consentUrl: (client, { redirectUri, state, codeChallenge }) =>
    authorizationUrl(server(client), {
      client_id: client.clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state,
      code_challenge: codeChallenge,
      response_mode: 'query',
      // Without it, a browser that is signed in connects its account without a question.
      prompt: 'select_account',
    }),

  async exchangeCode(client, grant): Promise<Authorized | 'other_tenant'> {
    const found = await exchangeForTenant(client, grant);
    if (found === null) return 'other_tenant';
    const { refreshToken } = found.tokens;
    if (refreshToken === null) throw new ProviderError('refused', 'Microsoft gave no refresh token.');
    if (!isGranted(found.scopes)) {
      throw new ProviderError('unauthorized', 'The permission to read or to send mail was not granted.');
    }
    const [account, isOfTenant] = await Promise.all([
      microsoftAccountOf(endpoints().microsoft.graph, found.tokens.accessToken),
      belongsTo(client.tenant, found.claims?.tid),
    ]);
    return isOfTenant ? { tokens: { ...found.tokens, refreshToken }, account } : 'other_tenant';
  },

  refresh: (client, refreshToken) => refreshTokens(server(client), client, refreshToken),

  // A refresh token ends 90 days after its last use ("Refresh tokens in the Microsoft identity platform").
  revoke: async () => {},
};

/**
 * An account that is not known in the tenant, and a code that another tenant gave ("Microsoft Entra authentication and
 * authorization error codes").
 */
const otherTenant: readonly (string | null)[] = ['AADSTS50020', 'AADSTS90072', 'AADSTS700005'];

/** null where the account belongs to another tenant than that of the client. */
async function exchangeForTenant(client: OauthClient, grant: CodeGrant): Promise<TokenResponse | null> {
  try {
    return await exchangeCode(server(client), client, grant, issuerOf);
  } catch (error) {
    if (error instanceof ProviderError && otherTenant.includes(error.code)) return null;
    throw error;
  }
}

/** Scopes are returned with or without the name of the resource, in any case. */
function isGranted(scopes: readonly string[] | null): boolean {
  if (scopes === null) return true;
  const granted = scopes.map((scope) => scope.slice(scope.lastIndexOf('/') + 1).toLowerCase());
  return mailScopes.every((scope) => granted.includes(scope.toLowerCase()));
}

/** @param tenant an id or a domain; null: any @param accountTenant claim `tid` of the ID token */
async function belongsTo(tenant: string | null, accountTenant: unknown): Promise<boolean> {
  if (tenant === null) return true;
  const expected = tenant.includes('.') ? await tenantIdOf(tenant) : tenant;
  return typeof accountTenant === 'string' && accountTenant.toLowerCase() === expected?.toLowerCase();
}

/** The id of the tenant of a domain, from its issuer ("OpenID Connect on the Microsoft identity platform"); null: there is none. */
async function tenantIdOf(domain: string): Promise<string | null> {
  const base = `${endpoints().microsoft.login}/${encodeURIComponent(domain)}/v2.0`;
  const response = await boundedFetch(provider, `${base}/.well-known/openid-configuration`, {});
  if (response.status >= 500) throw failureOf(provider, response, null);
  if (!response.ok) return null;
  const { issuer } = Object(parsedJson(provider, Buffer.from(await response.arrayBuffer())));
  return typeof issuer === 'string' ? (/\/([0-9a-f-]{36})\/v2\.0$/i.exec(issuer)?.[1] ?? null) : null;
}

/**
 * The account of a token ("Get a user", Microsoft Graph). `mail` of an account without a mailbox is what its administrator has
 * written there, so that it may name an address of somebody else; that of a mailbox is on a verified domain.
 *
 * @param base of Microsoft Graph, without version or final slash
 * @throws ProviderError refused where the account has no mailbox
 */
export async function microsoftAccountOf(base: string, accessToken: string): Promise<ProviderAccount> {
  const read = async (path: string) =>
    Object(
      await callForJson({
        provider,
        method: 'GET',
        url: `${base}/v1.0/me${path}`,
        accessToken,
      }),
    );
  const [me, inbox] = await Promise.all([
    read('?$select=id,mail,userPrincipalName,displayName'),
    orNull(read('/mailFolders/inbox?$select=id')),
  ]);
  // Personal accounts may have no `mail`; the name of theirs is the address.
  const address: unknown = me.mail ?? me.userPrincipalName;
  const isAddress = typeof address === 'string' && address.includes('@');
  if (inbox === null || !isAddress || typeof me.id !== 'string' || me.id === '') {
    throw new ProviderError('refused', 'The Microsoft account has no mailbox.');
  }
  const name: unknown = me.displayName;
  return {
    id: me.id,
    address: address.toLowerCase(),
    name: typeof name === 'string' && name !== '' ? name : null,
  };
}
