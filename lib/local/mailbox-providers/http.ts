/** Requests and responses of the emulated mailbox providers. */
import type { HtmlBuilder } from '../../http/pages/page.ts';
import type { HttpResponse } from '../http-server.ts';

/** A request to a provider. */
export interface ProviderCall {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** Path parameters, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A response that ends the handling of a call. */
export class Refusal extends Error {
  readonly response: HttpResponse;

  constructor(response: HttpResponse) {
    super(`HTTP ${response.statusCode}`);
    this.name = 'Refusal';
    this.response = response;
  }
}

export function jsonResponse(
  statusCode: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
    cookies: [],
    body: Buffer.from(`${JSON.stringify(body, null, 2)}\n`),
  };
}

export function emptyResponse(
  statusCode: number,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return { statusCode, headers, cookies: [], body: Buffer.alloc(0) };
}

/** A page of html, which the browser asks for anew each time. */
export function pageResponse({ status, headers, body }: ReturnType<HtmlBuilder>): HttpResponse {
  return {
    statusCode: status,
    headers: { ...headers, 'cache-control': 'no-store' },
    cookies: [],
    body: Buffer.from(body),
  };
}

/** A redirect that a browser follows with GET, also after a POST. */
export function redirectTo(url: string): HttpResponse {
  return emptyResponse(303, { location: url, 'cache-control': 'no-store' });
}

/** A URL with added query parameters. */
export function withQuery(url: string, parameters: Readonly<Record<string, string | null>>): string {
  const result = new URL(url);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null) result.searchParams.append(name, value);
  }
  return result.href;
}

/** The fields of a form (`application/x-www-form-urlencoded`). */
export function formOf({ body }: ProviderCall): URLSearchParams {
  return new URLSearchParams(body.toString());
}

/** The body as a JSON object; null: it is none. */
export function jsonOf({ body }: ProviderCall): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body.toString() || '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** The token of `Authorization: Bearer` (RFC 6750 section 2.1); null: none. */
export function bearerOf({ headers }: ProviderCall): string | null {
  return /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}
