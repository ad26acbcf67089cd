/**
 * Access tokens of mailboxes, refreshed by one function at a time (docs/concepts/mailboxes.md#tokens). A lost authorization
 * is found here: the mailbox then needs a new consent.
 */
import { now, pause } from '../../adapters/clock.ts';
import { newToken } from '../../adapters/ids.ts';
import { providerAuthorization } from '../../adapters/mailbox-providers/index.ts';
import { providerMail } from '../../adapters/mailbox-providers/mail.ts';
import type { MailboxId, WorkspaceId } from '../../core/ids.ts';
import type { SealedTokens } from '../../core/mailboxes/credentials.ts';
import type { Mailbox } from '../../core/mailboxes/mailbox.ts';
import { type OauthClient, ProviderError, type ProviderMail } from '../../core/mailboxes/provider.ts';
import { acquireCredentials, releaseCredentials } from '../../storage/mailboxes/mailbox-credentials.ts';
import { findMailboxAccess } from '../../storage/mailboxes/mailboxes.ts';
import type { AccessTokenPorts, TokenPair } from './access-token-ports.ts';
import { requireReauth } from './change-state.ts';
import { oauthClientOf } from './oauth-client.ts';
import { openAccessToken, openToken, sealTokens } from './sealed-tokens.ts';

/** What a call of the provider gets. */
export interface MailboxAccess {
  readonly accessToken: string;
  readonly mailbox: Mailbox;
  /** The calls of its provider. */
  readonly mail: ProviderMail;
  /** The OAuth client of the mailbox; reads it and opens its secret. */
  client(): Promise<OauthClient>;
}

/**
 * Calls a provider for a mailbox with a valid access token. A token that the provider does not accept is refreshed once,
 * and `call` is repeated. Where the authorization is gone, the mailbox becomes `needs_reauth`.
 *
 * @throws ProviderError unauthorized where the mailbox is not active (any more), and what `call` throws
 */
export async function withAccessToken<T>(
  workspaceId: WorkspaceId,
  mailboxId: MailboxId,
  call: (access: MailboxAccess) => Promise<T>,
): Promise<T> {
  return await callWithToken(portsOf(workspaceId, mailboxId), async ({ accessToken, mailbox }) => {
    const mail = await providerMail(mailbox.provider);
    return await call({ accessToken, mailbox, mail, client: () => oauthClientOf(workspaceId, mailbox) });
  });
}

interface ValidToken {
  readonly accessToken: string;
  readonly mailbox: Mailbox;
}

/** As `withAccessToken`, with ports. */
export async function callWithToken<T>(
  ports: AccessTokenPorts,
  call: (token: ValidToken) => Promise<T>,
): Promise<T> {
  const first = await validToken(ports, null);
  try {
    return await callOnce(ports, first, call);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'expired') throw error;
  }
  // A refresh tells whether the authorization is gone. A new token that is not accepted either is left to a later try.
  return await callOnce(ports, await validToken(ports, first.accessToken), call);
}

async function callOnce<T>(
  ports: AccessTokenPorts,
  token: ValidToken,
  call: (token: ValidToken) => Promise<T>,
): Promise<T> {
  try {
    return await call(token);
  } catch (error) {
    if (isUnauthorized(error)) await ports.requireReauth(token.mailbox, error.message);
    throw error;
  }
}

const isUnauthorized = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.kind === 'unauthorized';

/** A token is refreshed this long before it expires: a call may take a minute, and clocks differ. */
const marginMs = 5 * 60_000;
/** Longer than a refresh takes with its time limit. */
export const refreshLeaseMs = 30_000;
const waitMs = 250;
/** Waits for another function: 250 ms, 500 ms … together 13 seconds, in which a refresh is done or has failed. */
const triesMax = 10;

/** @param refused a token that the provider does not accept, though it has not expired */
async function validToken(ports: AccessTokenPorts, refused: string | null): Promise<ValidToken> {
  const isUsable = (pair: Pick<TokenPair, 'accessToken' | 'expiresAt'>, forMs: number): boolean =>
    pair.accessToken !== refused && ports.now() + forMs < pair.expiresAt;
  for (let tries = 1; tries <= triesMax; tries++) {
    const found = await ports.find();
    if (found?.mailbox.state !== 'active') {
      throw new ProviderError('unauthorized', 'The mailbox is not connected.');
    }
    const { mailbox } = found;
    if (isUsable(found, marginMs)) return { accessToken: found.accessToken, mailbox };
    const leaseToken = newToken(16);
    const pair = await ports.acquire(leaseToken);
    if (!pair) {
      // Another function is refreshing it, and until then it works.
      if (isUsable(found, 0)) return { accessToken: found.accessToken, mailbox };
      await ports.pause(waitMs * tries);
    } else if (isUsable(pair, marginMs)) {
      await ports.release(leaseToken, null);
      return { accessToken: pair.accessToken, mailbox };
    } else {
      const accessToken = await refresh(ports, { mailbox, pair, leaseToken });
      if (accessToken !== null) return { accessToken, mailbox };
    }
  }
  // Nothing was sent to the provider.
  throw new ProviderError('network', 'Another function is refreshing the authorization of the mailbox.');
}

/** The new access token; null where the mailbox was connected again or disconnected meanwhile. */
async function refresh(
  ports: AccessTokenPorts,
  held: { readonly mailbox: Mailbox; readonly pair: TokenPair; readonly leaseToken: string },
): Promise<string | null> {
  const { mailbox, pair, leaseToken } = held;
  try {
    const tokens = await ports.refresh(mailbox, pair.refreshToken);
    // Stored before it is used: a rotated refresh token that is lost costs the customer a consent.
    return (await ports.release(leaseToken, tokens)) ? tokens.accessToken : null;
  } catch (error) {
    const isChanged = isUnauthorized(error) && !(await ports.requireReauth(mailbox, error.message));
    await ports.release(leaseToken, null);
    if (isChanged) return null;
    throw error;
  }
}

function portsOf(workspaceId: WorkspaceId, mailboxId: MailboxId): AccessTokenPorts {
  /** As last read: a new refresh token may not come with each refresh. */
  let stored: SealedTokens = { refreshToken: [], accessToken: [], expiresAt: 0 };
  return {
    now,
    pause,
    async find() {
      const found = await findMailboxAccess(workspaceId, mailboxId);
      if (!found?.tokens) return null;
      const { accessToken, expiresAt } = found.tokens;
      return {
        mailbox: found.mailbox,
        accessToken: await openAccessToken(workspaceId, accessToken),
        expiresAt,
      };
    },
    async acquire(token) {
      const lease = { token, until: now() + refreshLeaseMs };
      const tokens = await acquireCredentials(workspaceId, mailboxId, lease, now());
      if (!tokens) return null;
      stored = tokens;
      return {
        accessToken: await openAccessToken(workspaceId, tokens.accessToken),
        refreshToken: await openToken(workspaceId, tokens.refreshToken),
        expiresAt: tokens.expiresAt,
      };
    },
    async release(leaseToken, tokens) {
      const sealed = tokens && (await sealTokens(workspaceId, tokens, stored));
      return await releaseCredentials(workspaceId, mailboxId, leaseToken, sealed);
    },
    async refresh(mailbox, refreshToken) {
      const [authorization, client] = await Promise.all([
        providerAuthorization(mailbox.provider),
        oauthClientOf(workspaceId, mailbox),
      ]);
      return await authorization.refresh(client, refreshToken);
    },
    requireReauth: (mailbox, reason) => requireReauth(workspaceId, mailbox, reason),
  };
}
