/** The only way out to addresses that customers name: one POST that cannot be turned against what lies behind us. */
import { lookup } from 'node:dns/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { performance } from 'node:perf_hooks';
import { limits } from '../core/limits.ts';
import { hostOf, isLoopbackAddress, isPublicAddress, webhookUrl } from '../core/webhooks/public-address.ts';
import { now } from './clock.ts';

/** What came of a POST. It got through when `statusCode` is 2xx. */
export interface HttpExchange {
  /** Null when no answer was had, or when a redirect led to where we do not go. */
  readonly statusCode: number | null;
  /** The first 2 KB of the answer's body; null without an answer. */
  readonly response: string | null;
  /** A few words for the person who looks into the delivery; null when the answer speaks for itself. */
  readonly error: string | null;
  readonly durationMs: number;
  readonly retryAfter: string | null;
  readonly requestedAtMs: number;
}

export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For the whole exchange: look-ups, redirects and reading included. */
  readonly timeoutMs: number;
  /** Lets plain http and loopback receivers through (local run). */
  readonly allowInsecure: boolean;
  /** Every address of a host; the system's resolver unless tests say otherwise. */
  readonly resolve?: (host: string) => Promise<string[]>;
}

type Answer = Pick<HttpExchange, 'statusCode' | 'response' | 'error' | 'retryAfter'>;

/** Why an exchange came to nothing, in words for the customer. */
class Refused extends Error {}

const redirectsMax = 3;
const redirectCodes = [307, 308];
const noAnswer: Answer = { statusCode: null, response: null, error: null, retryAfter: null };

/**
 * Posts `body` and reads what a delivery log needs of the answer. Never rejects. Every host is resolved once, all of its
 * addresses have to be public, and the connection goes to one of those that were checked, with the host's own name in
 * SNI and Host. 307 and 308 are followed, three at most, each target checked alike.
 */
export async function postToReceiver(post: WebhookPost): Promise<HttpExchange> {
  const requestedAtMs = now();
  const startedAt = performance.now();
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), post.timeoutMs);
  try {
    const answer = await follow(post, timeout.signal);
    return { ...answer, requestedAtMs, durationMs: elapsed(startedAt) };
  } catch (error) {
    const reason = timeout.signal.aborted ? `timed out after ${post.timeoutMs / 1000} s` : explain(error);
    return { ...noAnswer, error: reason, requestedAtMs, durationMs: elapsed(startedAt) };
  } finally {
    clearTimeout(timer);
  }
}

async function follow(post: WebhookPost, signal: AbortSignal): Promise<Answer> {
  let target = post.url;
  for (let redirects = 0; ; redirects++) {
    const url = webhookUrl(target, post);
    if (typeof url === 'string') throw new Refused(redirects > 0 ? `redirect target ${url}` : `URL ${url}`);
    const { location, ...answer } = await exchange(post, url, signal);
    if (answer.statusCode === null || answer.statusCode < 300 || answer.statusCode > 399) return answer;
    if (!redirectCodes.includes(answer.statusCode))
      return { ...answer, error: `redirects with ${answer.statusCode} are not followed` };
    const next = location === null ? null : URL.parse(location, url.href);
    if (next === null) return { ...answer, error: 'redirect without a target' };
    if (redirects === redirectsMax) return { ...answer, error: `more than ${redirectsMax} redirects` };
    target = next.href;
  }
}

/** One request on a connection of its own, which is gone when this returns. */
async function exchange(
  { headers, body, allowInsecure, resolve = resolveHost }: WebhookPost,
  url: URL,
  signal: AbortSignal,
): Promise<Answer & { location: string | null }> {
  const addresses = await checkedAddresses(url, allowInsecure, (host) => orAbort(resolve(host), signal));
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    const outgoing = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      // Not called for IP literals, which is why these were checked above like the addresses of a name.
      lookup: pinned(addresses),
      signal,
    });
    outgoing.on('response', resolve).on('error', reject).end(body);
  });
  try {
    return {
      statusCode: answer.statusCode ?? null,
      response: await readStart(answer),
      error: null,
      retryAfter: answer.headers['retry-after'] ?? null,
      location: answer.headers.location ?? null,
    };
  } finally {
    answer.destroy();
  }
}

/** All addresses of the URL's host; refused when a single one is not public, as then the choice would be the attacker's. */
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

/** A look-up that only knows the addresses that were checked: a name that changes its mind in between gains nothing. */
function pinned(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, callback) => {
    const [first] = entries;
    if (all === true) callback(null, entries);
    else callback(null, first?.address ?? '', first?.family);
  };
}

/** The first bytes of a body. The answer stands once its status is there, so that a body that ends badly is just cut. */
async function readStart(body: IncomingMessage): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let left: number = limits.webhookResponseBytes;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      // `stream` holds a character back until it is whole; one cut off at the limit never comes.
      text += decoder.decode(chunk.subarray(0, left), { stream: true });
      left -= chunk.length;
      if (left <= 0) break;
    }
  } catch {
    // Cut by the receiver or by our timeout: what came so far is what is kept.
  }
  return text;
}

/** For work that cannot be stopped: the look-up goes on, but nobody waits for it. */
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
  EAI_AGAIN: 'host could not be looked up',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed before an answer came',
  EPIPE: 'connection closed before an answer came',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'host unreachable',
  HPE_HEADER_OVERFLOW: 'answer with too large headers',
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
  if (code.startsWith('HPE_')) return 'answer is not HTTP';
  return code.startsWith('ERR_SSL_') ? 'TLS handshake failed' : `request failed (${code})`;
}

/** Connecting to several addresses fails with one error that holds them all. */
function codeOf(error: unknown): string | null {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return null;
  return codeOf(error.cause) ?? ('code' in error && typeof error.code === 'string' ? error.code : null);
}
