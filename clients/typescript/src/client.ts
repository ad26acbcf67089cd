/** The client: its settings, and the groups of operations with what the library adds to them. */
import { InvalidArgumentError } from './errors.ts';
import { Groups } from './groups.ts';
import type { ParleyOptions, RequestOptions } from './options.ts';
import { environmentVariable, type Runtime, systemRuntime, systemWebSocket, userAgent } from './runtime.ts';
import { type Settings, Transport } from './transport.ts';
import { version } from './version.ts';
import { verifyWebhook } from './webhooks.ts';

/** A client of one workspace. */
export class Parley extends Groups {
  /** Webhooks that this program receives; `webhookEndpoints` has where they are sent. */
  readonly webhooks = { verify: verifyWebhook } as const;
  readonly #api: Transport;

  /**
   * @param runtime clock, randomness and waits; for tests
   * @throws InvalidArgumentError without a key or an address
   */
  constructor(options: ParleyOptions = {}, runtime: Runtime = systemRuntime) {
    const api = new Transport(settingsOf(options), runtime);
    super(api);
    this.#api = api;
  }

  /**
   * Calls an operation that this version of the library does not know. One that answers 204 gives undefined.
   *
   * @param path below the base URL: `/emails`
   */
  async request<T>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    given: { readonly query?: object; readonly body?: object; readonly options?: RequestOptions } = {},
  ): Promise<T> {
    if (path.includes('?')) throw new InvalidArgumentError('The path has a query: give it as `query`.');
    const parts = path.replace(/^\//, '').split('/').map(decodeURIComponent);
    return await this.#api.any<T>({ method, path: parts, ...given });
  }
}

const timeoutMsDefault = 60_000;
const maxRetriesDefault = 3;

/** Pages of other sites cannot send it: the API takes no change from a session without it. */
const sessionHeaders = { 'X-Console-Request': '1' } as const;

function settingsOf(options: ParleyOptions): Settings {
  if (typeof options !== 'object' || options === null) {
    throw new InvalidArgumentError('The options are an object: new Parley({ apiKey, baseUrl }).');
  }
  const agent = userAgent(version);
  return {
    authentication: options.session
      ? sessionHeaders
      : { Authorization: `Bearer ${keyOf(options.apiKey ?? environmentVariable('PARLEY_API_KEY'))}` },
    baseUrl: baseUrlOf(options.baseUrl ?? environmentVariable('PARLEY_BASE_URL')),
    timeoutMs: options.timeoutMs ?? timeoutMsDefault,
    maxRetries: options.maxRetries ?? maxRetriesDefault,
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    headers: { ...(agent && { 'User-Agent': agent }), ...options.headers },
    onAttempt: options.onAttempt,
    webSocket: options.webSocket === undefined ? systemWebSocket() : options.webSocket,
  };
}

/** Errors do not show the key. */
function keyOf(given: string | undefined): string {
  const key = given?.trim();
  if (!key) throw new InvalidArgumentError('There is no API key: give `apiKey`, or set PARLEY_API_KEY.');
  if (/^[!-~]+$/.test(key)) return key;
  throw new InvalidArgumentError('The API key has spaces or characters that no key has: copy it again.');
}

/** The address with `/api/v2` and without a trailing slash. */
function baseUrlOf(given: string | undefined): string {
  if (!given) {
    const detail =
      'There is no base URL: give `baseUrl`, the address of your deployment, or set PARLEY_BASE_URL.';
    throw new InvalidArgumentError(detail);
  }
  const url = parseUrl(given.trim());
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new InvalidArgumentError(
      'The base URL must be an address such as https://mail.example.com, without user, query and fragment.',
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? '/api/v2' : path}`;
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
