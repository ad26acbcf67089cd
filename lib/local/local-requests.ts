/**
 * Which requests the control routes and the inbox answer: those of this machine's programs and of their own pages, not those
 * that a page of another site makes a browser send (DNS rebinding, cross-site request forgery).
 */
import type { HttpRequest } from './http-server.ts';

const localHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/** Header fields by name in lower case; the first of each name. */
export function headersOf({ rawHeaders }: Pick<HttpRequest, 'rawHeaders'>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    headers[name] ??= rawHeaders[at + 1] ?? '';
  }
  return headers;
}

/** Why a request is not answered; null: it is. */
export function refusalOf(request: Pick<HttpRequest, 'method' | 'rawHeaders'>): string | null {
  const { host = '', origin, 'sec-fetch-site': site } = headersOf(request);
  if (!localHost.test(host)) return 'only requests to localhost or 127.0.0.1 are answered';
  const isChange = request.method !== 'GET' && request.method !== 'HEAD';
  if (isChange && origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    return 'only pages of this server may change something';
  }
  if (isChange && (site === 'cross-site' || site === 'same-site')) {
    return 'only pages of this server may change something';
  }
  return null;
}
