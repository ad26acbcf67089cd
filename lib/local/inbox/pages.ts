/** Serves the pages of the local inbox with their files, and signs the browser in. */
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { HttpRequest, HttpResponse } from '../http-server.ts';
import { headersOf, refusalOf } from '../local-requests.ts';

/** What the run gives to the inbox when its workspace is ready. */
export interface InboxPages {
  /** The build of `console/`: `local.html` and `assets/`. */
  readonly folder: string;
  /** Facts that the page reads from `GET /_control/inbox`. */
  readonly facts: Readonly<Record<string, unknown>>;
  /**
   * Signs in as owner of the workspace.
   *
   * @param cookie the request's Cookie header
   * @returns the value of Set-Cookie; null: the browser has a session already
   */
  signIn(cookie: string): Promise<string | null>;
}

/** The pages, each `local.html`: the page itself reads the path. */
const pagePath = /^\/(?:|(?:people|webhooks|panel|write)(?:\/.*)?)$/;
const assetPath = /^\/console\/assets\/([\w.-]+)$/;

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
    "frame-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** The answer to a page or file of the inbox; null: the request is none of its. @param origin of the local API */
export async function servePages(
  pages: InboxPages,
  origin: string,
  request: HttpRequest,
): Promise<HttpResponse | null> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return null;
  const [path = ''] = request.target.split('?');
  const asset = assetPath.exec(path)?.[1];
  if (asset !== undefined) return serveAsset(pages.folder, asset, request);
  if (!pagePath.test(path)) return null;
  const refusal = refusalOf(request);
  if (refusal !== null) return response(403, { 'content-type': 'text/plain' }, Buffer.from(`${refusal}\n`));
  const { host = '', cookie = '', 'sec-fetch-site': site } = headersOf(request);
  // The session and its requests are of one origin: the API's own.
  if (`http://${host}` !== origin)
    return response(302, { location: `${origin}${request.target}` }, Buffer.alloc(0));
  const set = site === 'cross-site' ? null : await pages.signIn(cookie);
  const headers = {
    ...securityHeaders,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  };
  const page = response(200, headers, readFileSync(join(pages.folder, 'local.html')));
  return set === null ? page : { ...page, cookies: [set] };
}

/** null: the API may have it. */
function serveAsset(folder: string, name: string, request: HttpRequest): HttpResponse | null {
  const type = types[extname(name)];
  const bytes = type === undefined ? null : readOptional(join(folder, 'assets', name));
  if (type === undefined || bytes === null) return null;
  const headers = {
    ...securityHeaders,
    'content-type': type,
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  };
  if (!/\bgzip\b/.test(headersOf(request)['accept-encoding'] ?? '')) return response(200, headers, bytes);
  return response(200, { ...headers, 'content-encoding': 'gzip' }, gzipSync(bytes));
}

function readOptional(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function response(statusCode: number, headers: Readonly<Record<string, string>>, body: Buffer): HttpResponse {
  return { statusCode, headers, cookies: [], body };
}
