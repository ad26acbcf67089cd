/** Base URLs of the mail providers, each without a final slash. A deployment uses the real ones; the local cloud sets its emulators'. */
export const providerEndpoints = {
  google: {
    /** Consent page; also the issuer of Google's ID tokens ("OpenID Connect", Google Identity). */
    accounts: 'https://accounts.google.com',
    /** Token exchange, refresh and revocation ("Using OAuth 2.0 for Web Server Applications", Google Identity). */
    oauth: 'https://oauth2.googleapis.com',
    /** `/v1/userinfo`. */
    openid: 'https://openidconnect.googleapis.com',
    gmail: 'https://gmail.googleapis.com',
    /** `/oauth2/v3/certs`: the keys that sign ID tokens and the tokens of Pub/Sub pushes. */
    certs: 'https://www.googleapis.com',
  },
  microsoft: {
    /** Consent page and tokens, below the tenant ("Microsoft identity platform and OAuth 2.0 authorization code flow"). */
    login: 'https://login.microsoftonline.com',
    /** The API, with its version below ("Use the Microsoft Graph API"). */
    graph: 'https://graph.microsoft.com',
  },
} as const satisfies Record<string, Record<string, string>>;

/** The base URLs of each provider. */
export type ProviderEndpoints = {
  readonly [P in keyof typeof providerEndpoints]: Readonly<
    Record<keyof (typeof providerEndpoints)[P], string>
  >;
};
