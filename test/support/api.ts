/** API clients that return status, all headers and the body. */
import { type InProcessRequest, requestInProcess } from './api-in-process.ts';
import { apiPath } from './api-path.ts';
import { cloud } from './cloud.ts';
import type { TestWorkspace } from './workspace.ts';

/** Common fields of response bodies. */
export interface AnyBody {
  readonly id: string;
  readonly data: readonly AnyBody[];
  readonly next_cursor: string | null;
  readonly code: string;
  readonly [name: string]: unknown;
}

export interface ApiResponse<T = AnyBody> {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed when it is JSON; null when empty. */
  readonly body: T;
}

export interface ApiRequest {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, without a media type unless `headers` has one. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Api {
  request<T = AnyBody>(method: string, path: string, request?: ApiRequest): Promise<ApiResponse<T>>;
  get<T = AnyBody>(path: string): Promise<ApiResponse<T>>;
  post<T = AnyBody>(
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ApiResponse<T>>;
  patch<T = AnyBody>(path: string, body: unknown): Promise<ApiResponse<T>>;
  delete<T = AnyBody>(path: string): Promise<ApiResponse<T>>;
}

type Caller = TestWorkspace | string | null;

/** Calls the API through the local cloud. @param caller a workspace (its `full` key is used), the plaintext of a key, or null for no key */
export function api(caller: Caller): Api {
  return clientOf(caller, async ({ method, url, headers, body }) => {
    const init = {
      method,
      redirect: 'manual',
      headers,
      ...(body && { body: new Uint8Array(body) }),
    } as const;
    const response = await fetch(url, init);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    };
  });
}

/** Calls the handlers of the API in this thread (`api-in-process.ts`). */
export function apiInProcess(caller: Caller): Api {
  return clientOf(caller, async (request) => {
    const { statusCode, headers, body } = await requestInProcess(request);
    return { status: statusCode, headers, text: body.toString() };
  });
}

interface TextResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

function clientOf(caller: Caller, send: (request: InProcessRequest) => Promise<TextResponse>): Api {
  const key = caller === null || typeof caller === 'string' ? caller : caller.key;

  async function request<T>(method: string, path: string, given: ApiRequest = {}): Promise<ApiResponse<T>> {
    const body = given.body === undefined ? given.raw : JSON.stringify(given.body);
    const { status, headers, text } = await send({
      method,
      url: new URL(apiPath(path), cloud().baseUrl),
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(given.body !== undefined && { 'content-type': 'application/json' }),
        ...given.headers,
      },
      // Bytes, because fetch adds a media type to a string.
      ...(body !== undefined && { body: Buffer.from(body) }),
    });
    const isJson = /json/.test(headers['content-type'] ?? '');
    return { status, headers, body: (text === '' ? null : isJson ? JSON.parse(text) : text) as T };
  }

  return clientWith(request);
}

/** A client whose calls are made by `request`. */
export function clientWith(request: Api['request']): Api {
  return {
    request,
    get: (path) => request('GET', path),
    post: (path, body, headers) =>
      request('POST', path, { ...(body !== undefined && { body }), ...(headers && { headers }) }),
    patch: (path, body) => request('PATCH', path, { body }),
    delete: (path) => request('DELETE', path),
  };
}
