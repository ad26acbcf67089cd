/** The links of a message that lead to the service: open-tracking pixels, tracked links, one-click unsubscribe. */
import { request } from 'node:http';
import { Parser } from 'htmlparser2';
import { firstHeaderValue, type ParsedMessage } from '../../mail/index.ts';

export interface MailLinks {
  /** URLs of open-tracking pixels. */
  readonly pixels: readonly string[];
  readonly links: readonly MailLink[];
  /** Where a mail program unsubscribes (RFC 8058, RFC 2369); null: it cannot. */
  readonly unsubscribe: Unsubscription | null;
}

export interface MailLink {
  readonly url: string;
  readonly text: string;
  /** The service counts a click and redirects. */
  readonly isTracked: boolean;
}

export type Unsubscription =
  | { readonly by: 'post'; readonly url: string }
  | { readonly by: 'mail'; readonly address: string; readonly subject: string };

const htmlCharactersMax = 2_000_000;
const linksMax = 200;
const linkTextMax = 200;

export function linksOf({ html, text, headers }: ParsedMessage): MailLinks {
  const pixels: string[] = [];
  const links: { url: string; text: string; isTracked: boolean }[] = [];
  let open: (typeof links)[number] | null = null;
  const parser = new Parser({
    onopentag(name, attributes) {
      const { href = '', src = '' } = attributes;
      if (name === 'img' && pathOf(src)?.startsWith('/t/o/')) pixels.push(src);
      if (name !== 'a' || !/^https?:/i.test(href) || links.length >= linksMax) return;
      open = { url: href, text: '', isTracked: isTracked(href) };
      links.push(open);
    },
    ontext(part) {
      if (open && open.text.length < linkTextMax) open.text += part.slice(0, linkTextMax);
    },
    onclosetag(name) {
      if (name === 'a') open = null;
    },
  });
  if (html !== null) parser.end(html.slice(0, htmlCharactersMax));
  else links.push(...linksOfText(text ?? ''));
  return {
    pixels: pixels.slice(0, linksMax),
    links: links.map((link) => ({ ...link, text: link.text.trim() })),
    unsubscribe: unsubscriptionOf(headers),
  };
}

function linksOfText(text: string) {
  const urls = text.slice(0, htmlCharactersMax).match(/https?:\/\/[^\s<>"]+/g) ?? [];
  return urls.slice(0, linksMax).map((url) => ({ url, text: '', isTracked: isTracked(url) }));
}

const isTracked = (url: string) => pathOf(url)?.startsWith('/t/c/') ?? false;

function pathOf(url: string): string | null {
  return /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).pathname : null;
}

function unsubscriptionOf(headers: ParsedMessage['headers']): Unsubscription | null {
  const list = firstHeaderValue(headers, 'list-unsubscribe')?.slice(0, 10_000) ?? '';
  const isOneClick = /One-Click/i.test(firstHeaderValue(headers, 'list-unsubscribe-post') ?? '');
  const targets = [...list.matchAll(/<([^<>]*)>/g)].map(([, target = '']) => target.trim());
  const url = targets.find((target) => pathOf(target)?.startsWith('/u/'));
  if (url && isOneClick) return { by: 'post', url };
  const mailto = targets.find((target) => /^mailto:/i.test(target) && URL.canParse(target));
  if (!mailto) return null;
  const { pathname, searchParams } = new URL(mailto);
  return {
    by: 'mail',
    address: decodeURIComponent(pathname),
    subject: searchParams.get('subject') ?? 'unsubscribe',
  };
}

export interface FetchedLink {
  readonly status: number;
  /** The Location header of a redirect. */
  readonly location: string | null;
}

/** How a mail program asks. */
export interface LinkRequest {
  readonly method: 'GET' | 'POST';
  readonly userAgent: string;
  /** A form; empty: none. */
  readonly body: string;
}

/**
 * Fetches a link of the service from the local API, whatever host it names, so that nothing leaves this machine.
 *
 * @param apiPort of the local API
 * @param url with a path of tracking or unsubscribe pages
 */
export function fetchLink(apiPort: number, url: string, how: LinkRequest): Promise<FetchedLink> {
  const { pathname, search, host } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: apiPort,
        path: `${pathname}${search}`,
        method: how.method,
        headers: {
          host,
          'user-agent': how.userAgent,
          ...(how.body !== '' && {
            'content-type': 'application/x-www-form-urlencoded',
            'content-length': Buffer.byteLength(how.body),
          }),
        },
        timeout: 30_000,
      },
      (incoming) => {
        incoming.resume();
        resolve({ status: incoming.statusCode ?? 0, location: incoming.headers.location ?? null });
      },
    );
    outgoing.on('error', reject);
    outgoing.on('timeout', () => outgoing.destroy(new Error('the API does not answer')));
    outgoing.end(how.body);
  });
}
