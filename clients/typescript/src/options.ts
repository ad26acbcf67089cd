/** Options of a client and of a request. */

/** Options of one request. */
export interface RequestOptions {
  /** Ends the request: with the waits between its attempts, the reading of its answer, and the uploads of its files. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Time for one attempt, from its start until the answer is read. Default: that of the client, 60,000, and for the upload of a file
   * a second more for each 50 KB.
   */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first one. Default: that of the client, 3. */
  readonly maxRetries?: number | undefined;
  /** Further headers, such as `X-Request-ID`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of a send, reply or forward. */
export interface SendOptions extends RequestOptions {
  /**
   * 1 to 255 characters. Default: a random UUID, the same in every attempt, so that retries never send twice. Give one of your own
   * where your program may repeat the call after a restart. null: none; then an attempt whose answer is lost is not repeated.
   */
  readonly idempotencyKey?: string | null | undefined;
  /** 1 to 20: submits the email within the request and answers the outcome (`Prefer: wait`). */
  readonly waitSeconds?: number | undefined;
}

/** The `fetch` of the runtime, or one with the same behaviour. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** One attempt of a request, for logs. It has neither the API key nor bodies. */
export interface Attempt {
  readonly method: string;
  /** Below the base URL, without the query. */
  readonly path: string;
  /** 1 for the first one. */
  readonly attempt: number;
  /** null: no answer arrived. */
  readonly status: number | null;
  readonly requestId: string | null;
  readonly durationMs: number;
  /** Wait before the next attempt; null: this was the last one. */
  readonly retryInMs: number | null;
}

/** The part of a `WebSocket` that the library uses. */
export interface WebSocketLike {
  readonly readyState: number;
  send(text: string): void;
  close(code?: number): void;
  addEventListener(
    type: 'open' | 'message' | 'error' | 'close',
    listener: (event: { readonly type?: unknown; readonly data?: unknown }) => void,
  ): void;
}

/** The `WebSocket` of the runtime, or one with the same behaviour, such as that of the package `ws`. */
export type WebSocketClass = new (url: string) => WebSocketLike;

/** Options of a client. */
export interface ParleyOptions {
  /** Default: the environment variable `PARLEY_API_KEY`. */
  readonly apiKey?: string | undefined;
  /**
   * true: without a key, as the person whose session cookie the browser has; for pages of the deployment's own origin. Default:
   * false.
   */
  readonly session?: boolean | undefined;
  /**
   * Address of the API, such as `https://mail.example.com`; `/api/v2` is appended to one without a path. Default: the environment
   * variable `PARLEY_BASE_URL`.
   */
  readonly baseUrl?: string | undefined;
  /** Time for one attempt, from its start until the answer is read. Default: 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first one. Default: 3. */
  readonly maxRetries?: number | undefined;
  /** Default: the `fetch` of the runtime. */
  readonly fetch?: Fetch | undefined;
  /** For `events.live`. Default: the `WebSocket` of the runtime, which Node has from version 22 on. null: none. */
  readonly webSocket?: WebSocketClass | null | undefined;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Called after each attempt. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
}
