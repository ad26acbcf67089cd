/** The HTTP client for URLs of customers: one POST, protected against SSRF (docs/concepts/webhooks.md#addresses-and-redirects). */
import { lookup } from 'node:dns/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { performance } from 'node:perf_hooks';
import { limits } from '../core/limits.ts';
import { hostOf, isLoopbackAddress, isPublicAddress, webhookUrl } from '../core/webhooks/public-address.ts';
import { now } from './clock.ts';

/** The result of a POST; successful where `statusCode` is 2xx. */
export interface HttpExchange {
  /** null where no response arrived, or a redirect has a target that is refused. */
  readonly statusCode: number | null;
  /** The first 2 KB of the response body; null without a response. */
  readonly response: string | null;
  /** The error in a few words, for the delivery log; null where the status code says enough. */
  readonly error: string | null;
  readonly durationMs: number;
  readonly retryAfter: string | null;
  readonly requestedAtMs: number;
}

export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Of the whole exchange, with lookups, redirects and reading. */
  readonly timeoutMs: number;
  /** Allows plain http and loopback receivers (local run). */
  readonly allowInsecure: boolean;
  /** All addresses of a host; default: the system's resolver. */
  readonly resolve?: (host: string) => Promise<string[]>;
}

type PostResponse = Pick<HttpExchange, 'statusCode' | 'response' | 'error' | 'retryAfter'>;

/** The URL, an address or a redirect is refused; the message is for the delivery log. */
class Refused extends Error {}

const redirectsMax = 3;
const redirectCodes = [307, 308];
const noResponse: PostResponse = { statusCode: null, response: null, error: null, retryAfter: null };

/**
 * Posts `body` and reads the start of the response. Never rejects. Each host is resolved once, all of its addresses must
 * be public, and the connection goes to a checked address, with the host's name in SNI and `Host`. Redirects with 307 and
 * 308 are followed, at most three, each target checked in the same way.
 */
export async function postToReceiver(post: WebhookPost): Promise<HttpExchange> {
  const requestedAtMs = now();
  const startedAt = performance.now();
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), post.timeoutMs);
  try {
    const response = await follow(post, timeout.signal);
    return { ...response, requestedAtMs, durationMs: elapsed(startedAt) };
  } catch (error) {
    const reason = timeout.signal.aborted ? `timed out after ${post.timeoutMs / 1000} s` : explain(error);
    return { ...noResponse, error: reason, requestedAtMs, durationMs: elapsed(startedAt) };
  } finally {
    clearTimeout(timer);
  }
}

async function follow(post: WebhookPost, signal: AbortSignal): Promise<PostResponse> {
  let target = post.url;
  for (let redirects = 0; ; redirects++) {
    const url = webhookUrl(target, post);
    if (typeof url === 'string') throw new Refused(redirects > 0 ? `redirect target ${url}` : `URL ${url}`);
    const { location, ...response } = await exchange(post, url, signal);
    if (response.statusCode === null || response.statusCode < 300 || response.statusCode > 399)
      return response;
    if (!redirectCodes.includes(response.statusCode))
      return { ...response, error: `redirects with ${response.statusCode} are not followed` };
    const next = location === null ? null : URL.parse(location, url.href);
    if (next === null) return { ...response, error: 'redirect without a target' };
    if (redirects === redirectsMax) return { ...response, error: `more than ${redirectsMax} redirects` };
    target = next.href;
  }
}

/** One request on its own connection, which is closed at the end. */
async function exchange(
  { headers, body, allowInsecure, resolve = resolveHost }: WebhookPost,
  url: URL,
  signal: AbortSignal,
): Promise<PostResponse & { location: string | null }> {
  const addresses = await checkedAddresses(url, allowInsecure, (host) => orAbort(resolve(host), signal));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    const outgoing = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      // Node does not call it for IP literals, so `checkedAddresses` checks these too.
      lookup: pinned(addresses),
      signal,
    });
    outgoing.on('response', resolve).on('error', reject).end(body);
  });
  try {
    return {
      statusCode: response.statusCode ?? null,
      response: await readStart(response),
      error: null,
      retryAfter: response.headers['retry-after'] ?? null,
      location: response.headers.location ?? null,
    };
  } finally {
    response.destroy();
  }
}

/** All addresses of the URL's host. @throws Refused where one of them is not public */
async function checkedAddresses(
  url: URL,
  allowInsecure: boolean,
  resolve: (host: string) => Promise<string[]>,
): Promise<string[]> {
  const host = hostOf(url);
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  if (addresses.length === 0) throw new Refused('host not found');
  for (const address of addresses) {
    if (!isPublicAddress(address) && !(allowInsecure && isLoopbackAddress(address)))
      // Without the address: a tenant must not learn how names resolve inside the deployment's network.
      throw new Refused('the host does not resolve to public addresses only');
  }
  return addresses;
}

async function resolveHost(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

/** A lookup that returns the checked addresses only, against DNS rebinding. */
function pinned(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, callback) => {
    const [first] = entries;
    if (all === true) callback(null, entries);
    else callback(null, first?.address ?? '', first?.family);
  };
}

/** The first bytes of a body. A body that breaks off is kept as far as received: the status code has arrived. */
async function readStart(body: IncomingMessage): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let left: number = limits.webhookResponseBytes;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      // With `stream`, a character that is cut at the limit is left out.
      text += decoder.decode(chunk.subarray(0, left), { stream: true });
      left -= chunk.length;
      if (left <= 0) break;
    }
  } catch {
    // The receiver or our timeout ended the body.
  }
  return text;
}

/** Rejects on abort; `work` itself cannot be stopped. */
async function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function elapsed(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host lookup failed',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed before a response',
  EPIPE: 'connection closed before a response',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'host unreachable',
  HPE_HEADER_OVERFLOW: 'response headers are too large',
  CERT_HAS_EXPIRED: 'certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate chain is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate chain is incomplete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate chain is incomplete',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another host',
  EPROTO: 'TLS handshake failed',
};

function explain(error: unknown): string {
  if (error instanceof Refused) return error.message;
  const code = codeOf(error);
  if (code === null) return 'request failed';
  const known = reasons[code];
  if (known !== undefined) return known;
  if (code.startsWith('HPE_')) return 'response is not HTTP';
  return code.startsWith('ERR_SSL_') ? 'TLS handshake failed' : `request failed (${code})`;
}

/** Node reports failed connections to several addresses as one AggregateError. */
function codeOf(error: unknown): string | null {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return null;
  return codeOf(error.cause) ?? ('code' in error && typeof error.code === 'string' ? error.code : null);
}
