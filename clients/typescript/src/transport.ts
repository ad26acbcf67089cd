/** Sends requests: address and headers, attempts with time-outs and waits, answers as values or errors. */
import { errorOf, isJson, readJson, readText, unexpected } from './answers.ts';
import { type Budget, budgetOf } from './budget.ts';
import { AbortedError, ConnectionError, InvalidArgumentError, ParleyError, TimeoutError } from './errors.ts';
import { type LoadedFile, uploadTypeOf, withAttachments } from './files.ts';
import type { Attempt, Fetch, RequestOptions, SendOptions, WebSocketClass } from './options.ts';
import { type PageBody, PagePromise } from './pages.ts';
import { type Fate, fateOfAnswer, fateOfLoss, waitMs } from './retry.ts';
import { onAbort, type Runtime } from './runtime.ts';
import type { AttachmentReference, AttachmentUpload } from './types.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A call of an operation. */
export interface Call {
  readonly method: Method;
  /** The parts of the path below the base URL, which are encoded. */
  readonly path: readonly string[];
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly options?: SendOptions | undefined;
  /** Whether the operation takes an `Idempotency-Key`. */
  readonly takesKey?: boolean;
  /** Whether `attachments` of the body are to be read. */
  readonly carriesFiles?: boolean;
  /** Whether an operation of method POST may be repeated when its answer was lost. Other methods may. */
  readonly isRepeatable?: boolean;
}

/** A slower upload is given up. */
const slowestUploadBytesPerMs = 50;

/** What a client was made with. */
export interface Settings {
  /** Headers that say who calls. */
  readonly authentication: Readonly<Record<string, string>>;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly fetch: Fetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly onAttempt: ((attempt: Attempt) => void) | undefined;
  /** null: none. */
  readonly webSocket: WebSocketClass | null;
}

/** A request that every attempt sends alike. */
interface Request {
  readonly method: Method;
  readonly url: string;
  /** Below the base URL, for errors and logs. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | Blob | undefined;
  readonly isRepeatable: boolean;
  readonly options: RequestOptions;
}

type Read<T> = (response: Response, request: string) => Promise<T>;

type Outcome<T> =
  | { readonly value: T; readonly response: Response }
  | { readonly error: ParleyError; readonly fate: Fate };

const nameOf = ({ method, path }: Pick<Request, 'method' | 'path'>): string => `${method} ${path}`;

export class Transport {
  readonly #settings: Settings;
  readonly #runtime: Runtime;
  #budget: Budget | null = null;

  constructor(settings: Settings, runtime: Runtime) {
    this.#settings = settings;
    this.#runtime = runtime;
  }

  get runtime(): Runtime {
    return this.#runtime;
  }

  /** What the last answers say about the request budget; null: nothing. */
  get budget(): Budget | null {
    return this.#budget;
  }

  get webSocket(): WebSocketClass | null {
    return this.#settings.webSocket;
  }

  get baseUrl(): string {
    return this.#settings.baseUrl;
  }

  /** An operation that answers JSON. */
  async json<T>(call: Call): Promise<T> {
    return (await this.#run(await this.#prepare(call), readJson)) as T;
  }

  /** An operation that answers JSON, or nothing: undefined. */
  async any<T>(call: Call): Promise<T> {
    const read: Read<unknown> = async (response, name) =>
      response.status === 204 ? undefined : await readJson(response, name);
    return (await this.#run(await this.#prepare(call), read)) as T;
  }

  /** An operation without an answer. */
  async empty(call: Call): Promise<void> {
    await this.#run(await this.#prepare(call), async () => {});
  }

  /** An operation of method HEAD: the headers of its answer. */
  async head(call: Call): Promise<Headers> {
    return await this.#run(await this.#prepare(call), async ({ headers }) => headers);
  }

  /** A list. */
  list<Item>(call: Call): PagePromise<Item> {
    return new PagePromise((cursor) =>
      this.json<PageBody<Item>>(cursor === undefined ? call : { ...call, query: { ...call.query, cursor } }),
    );
  }

  /** An operation that answers a link to a file: the file, whose body is to be read. The link needs no key. */
  async file(call: Call): Promise<Response> {
    const request = await this.#prepare(call);
    const link = await this.#run({ ...request }, readLink);
    // A browser does not show where a redirect leads, but follows it without the key.
    const file = { ...request, url: link ?? request.url, headers: link === null ? request.headers : {} };
    return await this.#run(file, async (response) => response, { redirect: 'follow', isFile: true });
  }

  /** Uploads a file: announces it, then puts it to the link of the answer. */
  async upload(file: LoadedFile, options: RequestOptions = {}): Promise<AttachmentReference> {
    const { id, upload_url, upload_headers } = await this.json<AttachmentUpload>({
      method: 'POST',
      path: ['attachments'],
      body: {
        filename: file.filename,
        content_type: uploadTypeOf(file),
        size: file.bytes.byteLength,
        cid: file.cid,
      },
      options,
      isRepeatable: true,
    });
    // `fetch` sets Content-Length itself; browsers refuse it.
    const headers = Object.entries(upload_headers).filter(
      ([name]) => name.toLowerCase() !== 'content-length',
    );
    const request: Request = {
      method: 'PUT',
      url: upload_url,
      path: 'upload_url',
      headers: Object.fromEntries(headers),
      body: new Blob([file.bytes]),
      isRepeatable: true,
      options: {
        ...options,
        timeoutMs:
          options.timeoutMs ?? this.#settings.timeoutMs + file.bytes.byteLength / slowestUploadBytesPerMs,
      },
    };
    await this.#run(request, readText, { isFile: true });
    return { attachment_id: id };
  }

  async #prepare(call: Call): Promise<Request> {
    const { method, body, takesKey, options = {} } = call;
    const path = pathOf(call.path);
    const key = takesKey ? await this.#keyOf(options) : null;
    const files = body && call.carriesFiles ? this.#withFiles(body, options) : body;
    const sent = await Promise.resolve(files).catch((cause: unknown) => {
      if (cause instanceof ParleyError || !options.signal?.aborted) throw cause;
      throw abortedError({ method, path }, cause);
    });
    return {
      method,
      url: `${this.#settings.baseUrl}${path}${queryOf(call.query)}`,
      path,
      headers: mergedHeaders(this.#settings.headers, options.headers, {
        ...this.#settings.authentication,
        Accept: 'application/json',
        ...(body && { 'Content-Type': 'application/json' }),
        ...(key !== null && { 'Idempotency-Key': key }),
        ...(takesKey && options.waitSeconds && { Prefer: `wait=${options.waitSeconds}` }),
      }),
      body: sent && toJson(sent),
      isRepeatable: method !== 'POST' || call.isRepeatable === true || key !== null,
      options,
    };
  }

  async #keyOf({ idempotencyKey, headers = {} }: SendOptions): Promise<string | null> {
    if (idempotencyKey !== undefined) return idempotencyKey;
    const [, given] = Object.entries(headers).find(([name]) => /^idempotency-key$/i.test(name)) ?? [];
    return given ?? (await this.#runtime.uuid());
  }

  async #withFiles(body: object, { signal, timeoutMs, maxRetries }: RequestOptions): Promise<object> {
    signal?.throwIfAborted();
    const files = withAttachments(body, (file) => this.upload(file, { signal, timeoutMs, maxRetries }));
    if (!signal) return await files;
    // Raced: a stream may have no end.
    let unfollow = () => {};
    const ended = new Promise<never>((_, reject) => {
      unfollow = onAbort(signal, () => reject(signal.reason));
    });
    return await Promise.race([files, ended]).finally(unfollow);
  }

  /** Attempts until one succeeds, fails for good, or is the last one. */
  async #run<T>(request: Request, read: Read<T>, how: How = {}): Promise<T> {
    const { signal, maxRetries = this.#settings.maxRetries } = request.options;
    let wasLost = false;
    for (let attempt = 1; ; attempt += 1) {
      const startedAt = this.#runtime.now();
      const outcome = await this.#attempt(request, read, how);
      const retryInMs = 'error' in outcome ? this.#waitAfter(outcome, request, attempt, maxRetries) : null;
      this.#report(request, outcome, { attempt, durationMs: this.#runtime.now() - startedAt, retryInMs });
      if (!('error' in outcome)) return outcome.value;
      // The attempt whose answer was lost has deleted it.
      if (wasLost && request.method === 'DELETE' && outcome.error.status === 404) return undefined as T;
      if (retryInMs === null) throw outcome.error;
      wasLost ||= outcome.fate === 'unknown';
      await this.#runtime.wait(retryInMs, signal).catch((cause: unknown) => {
        throw abortedError(request, cause);
      });
    }
  }

  /** Milliseconds before the next attempt; null: none. */
  #waitAfter(
    { error, fate }: { readonly error: ParleyError; readonly fate: Fate },
    { isRepeatable }: Request,
    attempt: number,
    maxRetries: number,
  ): number | null {
    const mayRepeat = fate === 'refused' || (fate === 'unknown' && isRepeatable);
    // NaN ends them, too.
    if (!mayRepeat || !(attempt <= maxRetries)) return null;
    return waitMs(attempt, error.retryAfter, this.#runtime.random());
  }

  #report<T>(
    { method, path }: Request,
    outcome: Outcome<T>,
    rest: Pick<Attempt, 'attempt' | 'durationMs' | 'retryInMs'>,
  ): void {
    const { status, requestId } =
      'error' in outcome
        ? outcome.error
        : { status: outcome.response.status, requestId: outcome.response.headers.get('x-request-id') };
    try {
      this.#settings.onAttempt?.({ method, path, status, requestId, ...rest });
    } catch {
      // A log that fails must not fail a send that succeeded: the caller would send again.
    }
  }

  async #attempt<T>(request: Request, read: Read<T>, how: How): Promise<Outcome<T>> {
    const { signal, timeoutMs = this.#settings.timeoutMs } = request.options;
    if (signal?.aborted) throw abortedError(request, signal.reason);
    const clock = stopwatch(signal, timeoutMs);
    try {
      // Raced, so that a `fetch` that ignores its signal holds nobody up.
      return await Promise.race([this.#exchange(request, read, how, clock.signal), clock.ended]);
    } catch (cause) {
      if (signal?.aborted) throw abortedError(request, signal.reason);
      if (cause instanceof ParleyError) throw cause;
      const facts = { request: nameOf(request), cause };
      if (clock.isOver()) {
        const error = new TimeoutError({
          ...facts,
          detail: `No whole answer arrived within ${timeoutMs} ms.`,
        });
        return { error, fate: 'unknown' };
      }
      const error = new ConnectionError({ ...facts, detail: `No answer arrived: ${reasonOf(cause)}.` });
      return { error, fate: fateOfLoss(cause) };
    } finally {
      clock.stop();
    }
  }

  async #exchange<T>(request: Request, read: Read<T>, how: How, signal: AbortSignal): Promise<Outcome<T>> {
    const { method, url, headers, body } = request;
    // Not a method call: browsers refuse a `fetch` that is called on another object.
    const send = this.#settings.fetch;
    const response = await send(url, {
      method,
      headers,
      redirect: how.redirect ?? 'manual',
      signal,
      ...(body !== undefined && { body }),
    });
    if (!how.isFile) this.#budget = budgetOf(response.headers) ?? this.#budget;
    const name = nameOf(request);
    if (!response.ok && !(read === (readLink as unknown) && isLink(response))) {
      const error = how.isFile ? await fileError(response, name) : await errorOf(response, name);
      return { error, fate: fateOfAnswer(error, false) };
    }
    try {
      return { value: await read(response, name), response };
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      return { error, fate: fateOfAnswer(error, isJson(response)) };
    }
  }
}

/** Later ones win, whatever their case. @throws InvalidArgumentError, without the value, for one that HTTP does not allow */
function mergedHeaders(...all: (Readonly<Record<string, string>> | undefined)[]): Record<string, string> {
  const byName = new Map<string, [string, string]>();
  for (const [name, value] of all.flatMap((headers) => Object.entries(headers ?? {}))) {
    // Programs in JavaScript leave out a header so.
    if (value === undefined) continue;
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new InvalidArgumentError(
        `The value of the header ${name} has characters that headers cannot have.`,
      );
    }
    byName.set(name.toLowerCase(), [name, value]);
  }
  return Object.fromEntries(byName.values());
}

interface How {
  readonly redirect?: 'manual' | 'follow';
  /** The answer is of the store of files, not of the API. */
  readonly isFile?: boolean;
}

const isLink = ({ status, type }: Response): boolean => status === 307 || type === 'opaqueredirect';

/** null: a browser hides the link. */
const readLink: Read<string | null> = async (response) => response.headers.get('location');

async function fileError(response: Response, request: string): Promise<ParleyError> {
  const text = await readText(response, request, 64 * 1024).catch(() => '');
  const code = /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1];
  return unexpected(response, request, `The file store refused the request${code ? `: ${code}` : ''}.`);
}

/** A signal that ends with the caller's one or after a time. */
function stopwatch(outer: AbortSignal | undefined, timeoutMs: number) {
  const controller = new AbortController();
  let isOver = false;
  let end: (reason: unknown) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    end = reject;
  });
  ended.catch(() => {});
  const abort = (reason: unknown) => {
    controller.abort(reason);
    end(reason);
  };
  const expire = () => {
    isOver = true;
    abort(new Error('time is over'));
  };
  // Timers of longer times, and of Infinity, end at once.
  const timer = timeoutMs < 2 ** 31 ? setTimeout(expire, timeoutMs) : undefined;
  const unfollow = outer && onAbort(outer, () => abort(outer.reason));
  return {
    signal: controller.signal,
    ended,
    isOver: () => isOver,
    stop: () => {
      clearTimeout(timer);
      unfollow?.();
    },
  };
}

function abortedError(request: Pick<Request, 'method' | 'path'>, cause: unknown): AbortedError {
  return new AbortedError({
    request: nameOf(request),
    detail: 'The signal of the request was aborted.',
    cause,
  });
}

/** The innermost message: `fetch failed` says nothing. */
function reasonOf(cause: unknown): string {
  const { message, cause: inner } = (cause ?? {}) as {
    message?: unknown;
    cause?: { message?: unknown; code?: unknown };
  };
  return String(inner?.message || inner?.code || message || 'unknown').replace(/\.$/, '');
}

/** @throws InvalidArgumentError for a part that would make another path */
function pathOf(parts: readonly string[]): string {
  const encoded = parts.map((part) => {
    if (typeof part !== 'string' || /^\.{0,2}$/.test(part)) {
      throw new InvalidArgumentError(
        `An id in the path ${parts.join('/')} is ${part === '' ? 'empty' : String(part)}.`,
      );
    }
    return encodeURIComponent(part);
  });
  return `/${encoded.join('/')}`;
}

/** Without what is undefined or null; an array repeats its name. */
function queryOf(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) {
      if (one === undefined || one === null) continue;
      parameters.append(name, one instanceof Date ? one.toISOString() : String(one));
    }
  }
  const text = parameters.toString();
  return text && `?${text}`;
}

function toJson(body: object): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new InvalidArgumentError(`The body cannot be written as JSON: ${(cause as Error).message}`, cause);
  }
}
