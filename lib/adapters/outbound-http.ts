/** The HTTP client for URLs of customers: one POST, protected against SSRF (docs/concepts/webhooks.md#addresses-and-redirects). */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { performance } from 'node:perf_hooks';
import { isUnder } from '../core/domains/reserved.ts';
import { limits } from '../core/limits.ts';
import type { Attempt } from '../core/webhooks/delivery.ts';
import { hostOf, isLoopbackAddress, isPublicAddress, webhookUrl } from '../core/webhooks/public-address.ts';
import type { WebhookBody } from '../core/webhooks/signature.ts';
import { now } from './clock.ts';
import { createLookup } from './dns.ts';

/** The result of a POST; successful where `statusCode` is 2xx. */
export interface HttpExchange extends Omit<Attempt, 'id'> {
  readonly retryAfter: string | null;
}

export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: WebhookBody;
  /** Of the whole exchange, with lookups, redirects and reading. */
  readonly timeoutMs: number;
  /** Allows plain http and loopback receivers (local run). */
  readonly allowInsecure: boolean;
  /** DNS servers, `address` or `address:port`; none: the system's. */
  readonly dnsServers?: readonly string[];
  /** All addresses of a host; default: those that `dnsServers` know. */
  readonly resolve?: (host: string) => Promise<string[]>;
}

type PostResponse = Pick<HttpExchange, 'statusCode' | 'response' | 'error' | 'retryAfter'>;

/** The URL, an address or a redirect is refused; the message is for the delivery log. */
class Refused extends Error {}

const redirectsMax = 3;
const redirectCodes = [307, 308];
/** Bytes of the headers of a response; Node refuses more. */
const headerBytesMax = 16 * 1024;
/** Responses with 1xx before the final one (RFC 9110, 15.2); a flood of them would keep the processor busy. */
const interimResponsesMax = 16;
/** Addresses of a host that are tried. */
const addressesMax = 8;
const lookupTimeoutMs = 2000;
const noResponse: PostResponse = { statusCode: null, response: null, error: null, retryAfter: null };

/**
 * Posts `body` and reads the start of the response. Never rejects. Each host is resolved once, all of its addresses must
 * be public, and the connection goes to a checked address, with the host's name in SNI and `Host`. Redirects with 307 and
 * 308 are followed, at most three, each target checked in the same way.
 */
export async function postToReceiver(post: WebhookPost): Promise<HttpExchange> {
  const attemptedAt = now();
  const startedAt = performance.now();
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), post.timeoutMs);
  try {
    const response = await follow(post, timeout.signal);
    return { ...response, attemptedAt, durationMs: elapsed(startedAt) };
  } catch (error) {
    const reason = timeout.signal.aborted ? `timed out after ${post.timeoutMs / 1000} s` : explain(error);
    return { ...noResponse, error: reason, attemptedAt, durationMs: elapsed(startedAt) };
  } finally {
    clearTimeout(timer);
  }
}

async function follow(post: WebhookPost, signal: AbortSignal): Promise<PostResponse> {
  let target = post.url;
  for (let redirects = 0; ; redirects++) {
    const url = webhookUrl(target, post);
    if (typeof url === 'string') throw new Refused(redirects > 0 ? `redirect target ${url}` : `URL ${url}`);
    const response = await send(post, url, signal);
    try {
      const next = redirectTarget(response, url, redirects);
      if (next === null || 'error' in next) return { ...(await read(response)), error: next?.error ?? null };
      target = next.href;
    } finally {
      response.destroy();
    }
  }
}

/** Where a response redirects to, or why that is not followed; null where it is no redirect. */
function redirectTarget(
  { statusCode: status = 0, headers }: IncomingMessage,
  url: URL,
  redirects: number,
): URL | { readonly error: string } | null {
  if (status === 101) return { error: 'protocol upgrades are not supported' };
  if (status < 300 || status > 399) return null;
  if (!redirectCodes.includes(status)) return { error: `redirects with ${status} are not followed` };
  const target = URL.parse(headers.location ?? '', url.href);
  if (headers.location === undefined || target === null) return { error: 'redirect without a target' };
  return redirects === redirectsMax ? { error: `more than ${redirectsMax} redirects` } : target;
}

/** One request on its own connection; resolves with the head of the response. */
async function send(post: WebhookPost, url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  const { headers, body, allowInsecure } = post;
  const resolve = post.resolve ?? resolverOf(post);
  const addresses = await checkedAddresses(url, allowInsecure, (host) => orAbort(resolve(host), signal));
  return await new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    const outgoing = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      maxHeaderSize: headerBytesMax,
      rejectUnauthorized: true,
      // Without the final dot that a URL may have (RFC 6066, 3); an address has no name.
      ...(isIP(hostOf(url)) === 0 && { servername: hostOf(url) }),
      // Node does not call it for IP literals, so `checkedAddresses` checks these too.
      lookup: pinned(addresses.slice(0, addressesMax)),
      signal,
    });
    let interimResponses = 0;
    outgoing
      .on('response', resolve)
      .on('information', () => {
        if (++interimResponses > interimResponsesMax) outgoing.destroy(new Refused('too many 1xx responses'));
      })
      // Without a listener, Node closes the connection and emits nothing.
      .on('upgrade', (response, socket) => {
        socket.destroy();
        resolve(response);
      })
      .on('error', reject)
      // The last event of every request: nothing waits for ever.
      .on('close', () => reject(new Refused('connection closed before a response')))
      .end(body);
  });
}

async function read(response: IncomingMessage): Promise<Omit<PostResponse, 'error'>> {
  const { statusCode = null, headers } = response;
  const coding = headers['content-encoding'] ?? 'identity';
  // Nothing is decompressed: we ask for no coding, and a few bytes can stand for gigabytes.
  const isText = statusCode !== 101 && coding.trim().toLowerCase() === 'identity';
  return {
    statusCode,
    response: isText ? await readStart(response) : null,
    retryAfter: headers['retry-after'] ?? null,
  };
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

/** Looks up both families. A query that fails does not hide the addresses that the other one found. */
function resolverOf({ dnsServers = [], allowInsecure }: WebhookPost): (host: string) => Promise<string[]> {
  // Not getaddrinfo: four slow look-ups would occupy all threads of libuv ("Implementation considerations", Node.js dns).
  const lookup = createLookup({ servers: dnsServers, timeoutMs: lookupTimeoutMs, authority: null });
  return async (host) => {
    // RFC 6761, 6.3: names under `localhost` are not looked up.
    if (allowInsecure && isUnder('localhost', host)) return ['127.0.0.1', '::1'];
    const answers = await Promise.all([lookup.a(host), lookup.aaaa(host)]);
    const found = answers.flatMap(({ values }) => values);
    if (found.length === 0 && answers.some(({ status }) => status === 'failed'))
      throw new Refused('host lookup failed');
    return found;
  };
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
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed before a response',
  EPIPE: 'connection closed before a response',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'host unreachable',
  HPE_HEADER_OVERFLOW: 'response headers are too large',
  CERT_HAS_EXPIRED: 'certificate has expired',
  CERT_NOT_YET_VALID: 'certificate is not valid yet',
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
