/**
 * What Parley needs of a mail provider. Connecting, refreshing, synchronising and submitting are written against these types;
 * a provider is one folder under `lib/adapters/mailbox-providers`.
 */

/** An OAuth client at a provider, with its secret in plain text: never stored, logged or sent anywhere but to the provider. */
export interface OauthClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Microsoft: tenant id or domain; null: any organization or personal account. */
  readonly tenant: string | null;
  /** Google: the full name of the Pub/Sub topic (`projects/…/topics/…`); null: no push, polling only. */
  readonly pubsubTopic: string | null;
}

export interface Tokens {
  /** Opaque; Microsoft names no limit of its length. */
  readonly accessToken: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
  /** A provider may rotate it with each refresh; null: the previous one stays. */
  readonly refreshToken: string | null;
}

/** Whose mailbox was authorized. */
export interface ProviderAccount {
  /** The provider's own id of the account, which no other account of the provider has. */
  readonly id: string;
  /** In lower case. */
  readonly address: string;
  readonly name: string | null;
}

/** What became of a call. Adapters throw no other errors. */
export class ProviderError extends Error {
  readonly kind: ProviderFailure;
  /** The provider's `Retry-After`, in milliseconds; null: it names none. */
  readonly retryAfterMs: number | null;
  /** The provider's most precise code; null: it gives none. */
  readonly code: string | null;

  /** @param message for logs and `state_reason`: never with a token or content of mail */
  constructor(
    kind: ProviderFailure,
    message: string,
    options: { retryAfterMs?: number | null; code?: string | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ProviderError';
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.code = options.code ?? null;
  }
}

export type ProviderFailure =
  /** The authorization is gone: refused refresh, revoked consent, policy of an administrator. Repeating is useless. */
  | 'unauthorized'
  /** The access token is not accepted: one refresh, then the call again. */
  | 'expired'
  | 'throttled'
  /** The request is wrong, or the message is refused: repeating is useless. */
  | 'refused'
  /** The message, cursor or subscription is not there (any more). */
  | 'not_found'
  /** The call was certainly not carried out: no connection was made. */
  | 'network'
  /** Timeout, broken connection, 5xx: it may have been carried out. */
  | 'unknown';

/** Which message of a mailbox has come. Drafts, spam and trash are left out. */
export interface ProviderMessageRef {
  readonly id: string;
}

/** A page of changes. */
export interface Changes {
  readonly added: readonly ProviderMessageRef[];
  /** To ask with next, at once where `isLast` is false. Opaque; at most 4 KB. */
  readonly cursor: string;
  readonly isLast: boolean;
}

export interface ProviderMessage {
  readonly id: string;
  /** The provider's conversation. */
  readonly threadId: string;
  /** RFC 5322. */
  readonly raw: Buffer;
  /** Unix milliseconds. */
  readonly receivedAt: number;
  /** Whether the mailbox's owner sent it. */
  readonly isSent: boolean;
}

/** A subscription to push notifications. */
export interface PushSubscription {
  /** Microsoft: the subscription's id; null for Google, whose watch has none. */
  readonly id: string | null;
  /** Unix milliseconds; to be renewed well before. */
  readonly expiresAt: number;
}

/** The authorization endpoint and tokens. */
export interface ProviderAuthorization {
  /** The URL of the consent page, with PKCE (RFC 7636) S256. */
  consentUrl(client: OauthClient, request: ConsentRequest): string;
  /**
   * `other_tenant`: the account does not belong to the tenant of the client.
   *
   * @throws ProviderError refused where the code is not accepted, unauthorized where a permission was not granted
   */
  exchangeCode(client: OauthClient, grant: CodeGrant): Promise<Authorized | 'other_tenant'>;
  /** @throws ProviderError unauthorized where the refresh token is refused for good */
  refresh(client: OauthClient, refreshToken: string): Promise<Tokens>;
  /** Ends the authorization where the provider has a way; an authorization that is gone already is no error. */
  revoke(client: OauthClient, refreshToken: string): Promise<void>;
}

/** What a consent has given. */
export interface Authorized {
  readonly tokens: Tokens & { readonly refreshToken: string };
  readonly account: ProviderAccount;
}

export interface ConsentRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly codeChallenge: string;
}

export interface CodeGrant {
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

/** Mail in and out of a mailbox. Each call makes a bounded number of requests, each with a timeout. */
export interface ProviderMail {
  /** The position from which `changesSince` reports what comes. */
  currentCursor(accessToken: string): Promise<string>;
  /** Messages added since. @throws ProviderError not_found where the cursor is too old: a full resync follows */
  changesSince(accessToken: string, cursor: string): Promise<Changes>;
  /** Messages since a time, newest first, a page at a time: backfill, and resync after a gap. @param page null: the first */
  listSince(
    accessToken: string,
    sinceMs: number,
    page: string | null,
  ): Promise<{ readonly found: readonly ProviderMessageRef[]; readonly nextPage: string | null }>;
  /** null: it is gone, or a draft, spam or trash. */
  fetchMessage(accessToken: string, id: string): Promise<ProviderMessage | null>;
  /** @param threadId the provider's conversation of the message that is answered; null: a new one */
  send(
    accessToken: string,
    raw: Buffer,
    threadId: string | null,
  ): Promise<{ readonly id: string | null; readonly threadId: string | null }>;
  /**
   * A sent message by its Message-ID (with angle brackets), to learn the outcome of an unknown `send`. References of our
   * messages end with it, too: a provider may replace the Message-ID.
   *
   * @param sinceMs before the `send`; Unix milliseconds
   * @throws ProviderError unknown where that cannot be told now
   */
  findSent(
    accessToken: string,
    messageId: string,
    sinceMs: number,
  ): Promise<{ readonly id: string; readonly threadId: string } | null>;
  /** Begins or renews push notifications. null: the client has no push. @param current null: there is none */
  subscribe(
    accessToken: string,
    client: OauthClient,
    current: PushSubscription | null,
    push: PushTarget,
  ): Promise<PushSubscription | null>;
  unsubscribe(accessToken: string, current: PushSubscription): Promise<void>;
}

/** Where push notifications of a mailbox go. */
export interface PushTarget {
  /** Microsoft posts here; Google posts to the push subscription of the topic. */
  readonly url: string;
  /** Microsoft sends it back with each notification ("clientState"). */
  readonly secret: string;
}
