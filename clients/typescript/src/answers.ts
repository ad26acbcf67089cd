/** Reads answers: bodies of a bounded size, and the error of a failed one. */
import { GatewayError, type ParleyError, ProblemError, UnexpectedResponseError } from './errors.ts';
import { problemClasses } from './problems.ts';
import type { Issue, ProblemCode } from './types.ts';

/** Lambda answers at most 6 MB ("Lambda quotas"). */
const bodyBytesMax = 32 * 1024 * 1024;
const errorBytesMax = 1024 * 1024;
const excerptCharacters = 200;

/** Reads a body as text. @throws UnexpectedResponseError for a body over the limit */
export async function readText(
  response: Response,
  request: string,
  bytesMax = bodyBytesMax,
): Promise<string> {
  const reader = response.body?.getReader();
  // Some runtimes have no streams of answers.
  if (!reader) return await response.text();
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > bytesMax) {
      await reader.cancel();
      throw unexpected(response, request, `The answer has more than ${bytesMax} bytes.`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Reads a JSON answer. @throws UnexpectedResponseError */
export async function readJson(response: Response, request: string): Promise<unknown> {
  const text = await readText(response, request);
  const value = isJson(response) ? parse(text) : undefined;
  if (value !== undefined) return value;
  throw unexpected(response, request, whatIsWrong(response, text));
}

/** Whether a body calls itself JSON, so that what cannot be parsed was cut. */
export const isJson = (response: Response): boolean =>
  /[/+]json\b/.test(response.headers.get('content-type') ?? '');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function whatIsWrong(response: Response, text: string): string {
  if (text === '') return 'The answer has no body.';
  if (isJson(response)) return 'The answer was cut: it is not whole JSON.';
  const type = response.headers.get('content-type') ?? 'no content type';
  return `The answer is not JSON (${type}): is baseUrl the address of the API? It begins: ${excerptOf(text)}`;
}

function excerptOf(text: string): string {
  return JSON.stringify(withoutTokens(text).slice(0, excerptCharacters).replaceAll(/\s+/g, ' ').trim());
}

/** Proxies and gateways show the headers that they refuse, with the API key. */
const withoutTokens = (text: string): string => text.slice(0, 4000).replaceAll(/[\w-]{20,}/g, '…');

export function unexpected(response: Response, request: string, detail: string): UnexpectedResponseError {
  return new UnexpectedResponseError({ ...factsOf(response, request), detail });
}

function factsOf(response: Response, request: string) {
  return {
    request,
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfter: retryAfterOf(response.headers.get('retry-after')),
  };
}

/** Seconds of a `Retry-After`: a number, or a date (RFC 9110, section 10.2.3). */
export function retryAfterOf(value: string | null, nowMs: number = Date.now()): number | null {
  if (value === null) return null;
  if (/^\s*\d{1,9}(\.\d+)?\s*$/.test(value)) return Number(value);
  // Engines read more than the dates of HTTP, such as "-5".
  const atMs = /^\s*[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}

/** The error of an answer that is not a success. */
export async function errorOf(response: Response, request: string): Promise<ParleyError> {
  const facts = factsOf(response, request);
  if (response.status >= 300 && response.status < 400) return redirected(response, request);
  const text = await readText(response, request, errorBytesMax);
  const body = parse(text);
  const { code, detail, message, issues } = (typeof body === 'object' && body !== null ? body : {}) as Body;
  if (typeof code === 'string') {
    const Class = Object.hasOwn(problemClasses, code) ? problemClasses[code as ProblemCode] : ProblemError;
    const given = { ...facts, detail: typeof detail === 'string' ? detail : code, issues: issuesOf(issues) };
    // A code that this version does not know keeps its name.
    return new (Class as typeof ProblemError)(code as ProblemCode, given);
  }
  if (typeof message === 'string')
    return new GatewayError({ ...facts, detail: withoutTokens(message).slice(0, 1000) });
  return unexpected(response, request, whatIsWrong(response, text));
}

interface Body {
  readonly code?: unknown;
  readonly detail?: unknown;
  readonly message?: unknown;
  readonly issues?: unknown;
}

function issuesOf(value: unknown): Issue[] {
  if (!Array.isArray(value)) return [];
  return value.map((issue: Partial<Issue> | null) => ({
    path: String(issue?.path ?? ''),
    message: String(issue?.message ?? ''),
  }));
}

function redirected(response: Response, request: string): UnexpectedResponseError {
  const detail =
    'The answer is a redirect: baseUrl must be the address that the API itself has (https, no other host).';
  return unexpected(response, request, detail);
}
