/** Return URLs: where the browser goes after a consent (docs/concepts/mailboxes.md#return-urls). */
import { limits } from '../limits.ts';

/** Hosts on which plain http is allowed. */
const localHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The parsed URL of an absolute http(s) URL without credentials and fragment, plain http on localhost only; else what is
 * wrong, as a predicate.
 */
export function parseReturnUrl(text: string): URL | string {
  if (text.length > limits.returnUrlCharacters) {
    return `is longer than ${limits.returnUrlCharacters} characters`;
  }
  // The parser of URLs would leave out line breaks, and read `https:acme.dev` and `https:\\acme.dev` as URLs.
  const isAbsolute = /^https?:\/\/[^/\\?#]/i.test(text) && !/[\p{Cc}\s\\]/u.test(text);
  const url = isAbsolute ? URL.parse(text) : null;
  if (!url) return 'is not an absolute https URL';
  if (url.protocol !== 'https:' && !localHosts.includes(url.hostname)) {
    return 'is not https; plain http is allowed on localhost only';
  }
  if (url.username !== '' || url.password !== '') return 'has credentials';
  // Of an empty fragment the parsed URL does not tell.
  if (text.includes('#')) return 'has a fragment';
  return url;
}

/** What is wrong with the return URLs of an app; null: nothing. @returns `at` null: it concerns all of them */
export function returnUrlIssue(
  urls: readonly string[],
): { readonly at: number | null; readonly message: string } | null {
  if (urls.length > limits.returnUrls) {
    return { at: null, message: `has more than ${limits.returnUrls} URLs` };
  }
  const seen = new Set<string>();
  for (const [at, text] of urls.entries()) {
    const url = parseReturnUrl(text);
    if (typeof url === 'string') return { at, message: url };
    if (seen.has(url.href)) return { at, message: 'is there twice' };
    seen.add(url.href);
  }
  return null;
}

/** Whether a return URL is registered: origin and path match one of those of the app. */
export function isRegistered(registered: readonly string[], url: URL): boolean {
  return registered.some((text) => {
    const one = URL.parse(text);
    return one !== null && one.origin === url.origin && one.pathname === url.pathname;
  });
}

/** The parameters of an outcome. */
const outcomeNames = ['status', 'mailbox_id', 'code'] as const;

/**
 * The return URL with the outcome of a connection. What it had of its own stays, except parameters with the names of an outcome:
 * whoever made the link could name a mailbox of somebody else.
 */
export function withOutcome(
  returnTo: string,
  outcome: Readonly<Partial<Record<(typeof outcomeNames)[number], string>>>,
): string {
  const url = new URL(returnTo);
  for (const name of outcomeNames) url.searchParams.delete(name);
  for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, value);
  return url.href;
}
