/** Serves the pages of the local inbox with their files, and signs the browser in. */
import type { HttpRequest, HttpResponse } from '../http-server.ts';
import { headersOf, refusalOf } from '../local-requests.ts';
import { openPageFiles, type PageFile, type PageFiles } from './page-files.ts';

/** What the run gives to the inbox when its workspace is ready. */
export interface InboxPages {
  /** Returns the folder of the files; called once, for the first page. */
  folder(): Promise<string>;
  /** What the pages read from `GET /_control/inbox`. */
  readonly facts: Readonly<Record<string, unknown>>;
  /**
   * Signs in as owner of the workspace.
   *
   * @param cookies of the request, `name=value` each
   * @returns the value of Set-Cookie; null: the browser has a session already
   */
  signIn(cookies: readonly string[]): Promise<string | null>;
}

export interface PageServer {
  /** null: the request is for no page or file of the inbox. */
  serve(request: HttpRequest): Promise<HttpResponse | null>;
}

/** The pages, all of one file: the page itself reads the path. None of these paths is a route of the API. */
const pagePath = /^\/(?:people(?:\/.*)?|webhooks|panel|write)?$/;
const assetPath = /^\/console\/assets\//;

const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  vary: 'accept-encoding',
};

/** @param origin of the local API */
export function createPageServer(pages: InboxPages, origin: string): PageServer {
  let opened: Promise<PageFiles> | null = null;
  const files = () => {
    opened ??= pages.folder().then(openPageFiles);
    return opened;
  };

  const servePage = async (request: HttpRequest): Promise<HttpResponse | null> => {
    const refusal = refusalOf(request);
    if (refusal !== null) return plain(403, refusal);
    const {
      host = '',
      cookie = '',
      'accept-encoding': accepted = '',
      'sec-fetch-site': site,
    } = headersOf(request);
    // A session and its requests are of one origin: the API's own.
    if (`http://${host}` !== origin) return plain(302, '', { location: `${origin}${request.target}` });
    const page = (await files()).find('/', accepted);
    if (page === null) return null;
    const set = site === 'cross-site' ? null : await pages.signIn(cookie.split(/;\s*/));
    return fileResponse(page, set);
  };

  return {
    async serve(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return null;
      const [path = ''] = request.target.split('?');
      if (pagePath.test(path)) return await servePage(request);
      if (!assetPath.test(path)) return null;
      const file = (await files()).find(path, headersOf(request)['accept-encoding'] ?? '');
      return file && fileResponse(file, null);
    },
  };
}

function fileResponse({ type, isImmutable, encoding, body }: PageFile, cookie: string | null): HttpResponse {
  return {
    statusCode: 200,
    headers: {
      ...securityHeaders,
      'content-type': type,
      'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-store',
      ...(encoding !== null && { 'content-encoding': encoding }),
    },
    cookies: cookie === null ? [] : [cookie],
    body,
  };
}

function plain(
  statusCode: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    statusCode,
    headers: { 'content-type': 'text/plain', ...headers },
    cookies: [],
    body: Buffer.from(text),
  };
}
