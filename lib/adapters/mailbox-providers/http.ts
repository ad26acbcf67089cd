/**
 * HTTP to the mail providers: each request has a time limit, each response a size limit, and each failure becomes a
 * `ProviderError`. Bodies, headers and URLs never get into errors: they may hold tokens and mail.
 */
import { ProviderError, type ProviderFailure } from '../../core/mailboxes/provider.ts';
import { parseRetryAfter } from '../../core/webhooks/retry-after.ts';
import { now } from '../clock.ts';

/** How a request is bounded. */
export interface HttpBounds {
  /** Of the whole exchange, reading included. */
  readonly timeoutMs: number;
  /** Bytes of the response. */
  readonly bytesMax: number;
}

/** Of JSON. */
export const jsonBounds: HttpBounds = { timeoutMs: 10_000, bytesMax: 4_000_000 };
/** Of a message: 50 MB, which in the base64 of JSON are 67 MB. */
export const messageBounds: HttpBounds = { timeoutMs: 60_000, bytesMax: 70_000_000 };

/** A request to a provider's API. */
export interface ProviderRequest {
  /** For errors: `Google`, `Microsoft`. */
  readonly provider: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string | URL;
  readonly accessToken: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON where it is an object. */
  readonly body?:
    | object
    | { readonly contentType: string; readonly content: string | Uint8Array<ArrayBuffer> };
  /** Default: those of JSON. */
  readonly bounds?: HttpBounds;
  /** What the provider's error codes mean, where the status alone does not tell. */
  readonly failures?: Readonly<Record<string, ProviderFailure>>;
}

/** Calls a provider's API. @returns the body of the response with a status of 2xx @throws ProviderError */
export async function callProvider(request: ProviderRequest): Promise<Buffer> {
  const { provider, method, url, accessToken, bounds = jsonBounds, failures = {} } = request;
  const { contentType, content } = bodyOf(request.body);
  const response = await boundedFetch(
    provider,
    url,
    {
      method,
      headers: {
        ...request.headers,
        authorization: `Bearer ${accessToken}`,
        ...(contentType && { 'content-type': contentType }),
      },
      ...(content !== null && { body: content }),
    },
    bounds,
  );
  const body = Buffer.from(await response.arrayBuffer());
  if (response.ok) return body;
  throw failureOf(provider, response, errorCode(body), { failures });
}

/** As `callProvider`, with the parsed body; `{}` for an empty one. @throws ProviderError unknown where it is not JSON */
export async function callForJson(request: ProviderRequest): Promise<unknown> {
  const body = await callProvider(request);
  if (body.length === 0) return {};
  return parsedJson(request.provider, body);
}

/** @throws ProviderError unknown */
export function parsedJson(provider: string, body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new ProviderError('unknown', `${provider} answered with something else than JSON.`);
  }
}

/**
 * `fetch` within bounds: the response has been read whole. Redirects are not followed, so that a token reaches no other
 * host. Any status is returned.
 *
 * @throws ProviderError network (no connection was made), unknown (the request may have been carried out), refused (the
 *   response is larger than allowed)
 */
export async function boundedFetch(
  provider: string,
  url: string | URL,
  init: RequestInit,
  { timeoutMs, bytesMax }: HttpBounds = jsonBounds,
): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: timeout });
    const body = await readWithin(provider, response, bytesMax);
    // A Response of these statuses takes no body, not even an empty one (Fetch, "null body status").
    const isBodyless = [101, 103, 204, 205, 304].includes(response.status);
    return new Response(isBodyless ? null : body, { status: response.status, headers: response.headers });
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    if (timeout.aborted) {
      throw new ProviderError('unknown', `${provider} did not answer within ${timeoutMs / 1000} s.`);
    }
    const code = networkCode(error);
    const isUnsent = code !== null && neverSent.test(code);
    const what = isUnsent ? 'no connection was made' : 'the connection broke';
    throw new ProviderError(isUnsent ? 'network' : 'unknown', `${provider}: ${what} (${code ?? 'no code'}).`);
  }
}

/**
 * Codes of a connection that was never made, so that nothing was sent: name look-up, refusal, no route, time-out of
 * connecting ("Errors", undici), and certificates that do not fit ("X509 certificate error codes", Node.js TLS).
 */
const neverSent =
  /^(ENOTFOUND|EAI_\w+|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/;

/** The code of Node's error below what `fetch` throws; several addresses fail as one AggregateError. */
function networkCode(error: unknown): string | null {
  if (error instanceof AggregateError) return networkCode(error.errors[0]);
  if (!(error instanceof Error)) return null;
  return networkCode(error.cause) ?? ('code' in error && typeof error.code === 'string' ? error.code : null);
}

async function readWithin(
  provider: string,
  response: Response,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Breaking off ends the connection.
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > bytesMax) {
      throw new ProviderError('refused', `${provider} answered with more than ${bytesMax} bytes.`);
    }
    chunks.push(chunk);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function bodyOf(body: ProviderRequest['body']) {
  if (body === undefined) return { contentType: null, content: null };
  if ('contentType' in body && 'content' in body) return body;
  return { contentType: 'application/json', content: JSON.stringify(body) };
}

/**
 * The error of a response that is not 2xx.
 *
 * @param code the provider's word for the failure; null: it gives none
 * @param options.failures what codes mean, which decides before the status
 * @param options.detail a more precise code beside it
 */
export function failureOf(
  provider: string,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  code: string | null,
  options: {
    readonly failures?: Readonly<Record<string, ProviderFailure>>;
    readonly detail?: string | null;
  } = {},
): ProviderError {
  const { failures = {}, detail = null } = options;
  const known = code !== null && Object.hasOwn(failures, code) ? failures[code] : undefined;
  const kind = known ?? kindOf(status);
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'), now());
  const codes = [code, detail].filter((one) => one !== null).join(', ');
  const message = `${provider} answered ${status}${codes === '' ? '' : ` (${codes})`}.`;
  return new ProviderError(kind, message, { retryAfterMs, code: detail ?? code });
}

function kindOf(status: number): ProviderFailure {
  if (status === 401) return 'expired';
  if (status === 404 || status === 410) return 'not_found';
  if (status === 429) return 'throttled';
  // 408: the server did not wait for the rest of the request (RFC 9110, 15.5.9).
  return status === 408 || status >= 500 ? 'unknown' : 'refused';
}

/** Longer ones are sentences. */
const codeMax = 64;

/**
 * The code of an error body: `error.errors[].reason`, else `error.status` at Google ("Resolve errors", Gmail API),
 * `error.code` at Microsoft ("Microsoft Graph error responses and resource types"), `error` of OAuth (RFC 6749, 5.2).
 * null where there is none.
 */
export function errorCode(body: Buffer): string | null {
  const error = property(jsonOf(body), 'error');
  const first: unknown = Array.isArray(property(error, 'errors')) ? Object(error).errors[0] : null;
  const candidates = [error, property(first, 'reason'), property(error, 'status'), property(error, 'code')];
  const found = candidates.find((one) => typeof one === 'string');
  return typeof found === 'string' && found.length <= codeMax && /^[\w.-]+$/.test(found) ? found : null;
}

/**
 * The first code of the Microsoft identity platform in an error body, such as `AADSTS50173` ("Microsoft Entra authentication
 * and authorization error codes"); null where there is none.
 */
export function signInErrorCode(body: Buffer): string | null {
  const codes = property(jsonOf(body), 'error_codes');
  const first: unknown = Array.isArray(codes) ? codes[0] : null;
  return Number.isSafeInteger(first) ? `AADSTS${first}` : null;
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
