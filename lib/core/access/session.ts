/** Sessions of the console, and the links that begin them (docs/concepts/members.md). */
import { parseId, type WorkspaceId } from '../ids.ts';

/** A session ends this long after the sign-in, however it is used. */
export const sessionMs = 12 * 3_600_000;
/** A sign-in link is good for one sign-in within this time. */
export const linkMs = 15 * 60_000;

/**
 * Sign-in links that are mailed in a window of 15 minutes: to an address, and for a source (an IPv4 address, or the /64
 * of an IPv6 address).
 */
export const linkRequests = { windowMs: linkMs, perAddress: 5, perSource: 20 } as const;
/** Workspaces of a member that one mail has links for. */
export const linksPerMail = 20;

/** Who a token of a session or of a link is for. It proves nothing: the table has the hash of the whole token. */
export interface TokenSubject {
  readonly workspaceId: WorkspaceId;
  readonly email: string;
}

/** An address has at most 320 characters; in UTF-8 and base64url each takes up to four. */
const tokenForm = /^([0-9a-f]{32})\.([A-Za-z0-9_-]{1,1280})\.[A-Za-z0-9_-]{43}$/;

/**
 * A token with its subject, so that one batch reads all that authenticates it (decision 74).
 *
 * @param secret 32 random bytes in base64url
 */
export function composeToken({ workspaceId, email }: TokenSubject, secret: string): string {
  return `${workspaceId.slice('wks_'.length)}.${Buffer.from(email).toString('base64url')}.${secret}`;
}

/** The subject of a token; null where the text is no token. */
export function tokenSubject(token: string): TokenSubject | null {
  const [, workspace = '', email = ''] = tokenForm.exec(token) ?? [];
  const workspaceId = parseId('wks', `wks_${workspace}`);
  return workspaceId && { workspaceId, email: Buffer.from(email, 'base64url').toString() };
}

/**
 * The name of the cookie. `__Host-` keeps other hosts of the domain from setting it (RFC 6265bis, section 4.1.3.2); it
 * needs `Secure`, hence https.
 */
export function cookieName(baseUrl: string): string {
  return isSecure(baseUrl) ? '__Host-parley_session' : 'parley_session';
}

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:');

/** The value of `Set-Cookie`. @param token empty: the cookie is removed */
export function sessionCookie(baseUrl: string, token: string): string {
  const seconds = token === '' ? 0 : sessionMs / 1000;
  const secure = isSecure(baseUrl) ? '; Secure' : '';
  return `${cookieName(baseUrl)}=${token}; Path=/; Max-Age=${seconds}${secure}; HttpOnly; SameSite=Strict`;
}

/** The token in the cookies of a request; null where there is none. @param cookies `name=value` each */
export function tokenInCookies(baseUrl: string, cookies: readonly string[]): string | null {
  const start = `${cookieName(baseUrl)}=`;
  return cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length) ?? null;
}

/**
 * Whether a request that changes something comes from a page of the deployment. Forms cannot set the header, and the
 * scripts of other origins need a preflight for it, which nothing answers.
 *
 * @param headers with lower-case names
 */
export function isFromConsole(baseUrl: string, headers: Readonly<Record<string, string>>): boolean {
  return headers['x-console-request'] === '1' && headers.origin === new URL(baseUrl).origin;
}
