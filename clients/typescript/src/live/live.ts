/**
 * Events as they happen (docs/concepts/live.md): over a WebSocket, and where there is none, by reading the log. The log is the base:
 * reading begins there, goes on there whenever a connection ends, and what both bring is given once.
 */
import { InvalidArgumentError, type ParleyError } from '../errors.ts';
import { LiveOperations } from '../resources/live.ts';
import { onAbort, type Runtime } from '../runtime.ts';
import type { Transport } from '../transport.ts';
import type { Event, EventType, SpaceId, Thread } from '../types.ts';
import { Connection } from './connection.ts';
import { eventIdPattern, type Feed, feedFrom, idBefore } from './feed.ts';
import { follow, type ListEvents, newestId, type Patience, patienceOf } from './log.ts';

/** An event of one of the types. */
export type EventOf<Type extends EventType> = Extract<Event, { readonly type: Type }>;

/** How events come at present. */
export interface LiveState {
  /** `socket`: within a second; `log`: within the time between two reads; null: not at all until `error` is over. */
  readonly via: 'socket' | 'log' | null;
  /** What keeps events, or the socket, away; null: nothing, as far as is known. */
  readonly error: ParleyError | null;
}

/** Options of `events.live`. */
export interface LiveOptions<Type extends EventType = EventType> {
  /** Only events of these types. Default, and with an empty list: all. */
  readonly types?: readonly Type[] | undefined;
  /** Only events of threads that have all of these labels at the time. */
  readonly labels?: readonly string[] | undefined;
  /** Only events of this space, or with `none` those of the workspace itself. Default: all. */
  readonly spaceId?: SpaceId | 'none' | undefined;
  /** Begins behind this event or time. Default: with what happens from now on. */
  readonly after?: string | Date | null | undefined;
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each change. */
  readonly onState?: ((state: LiveState) => void) | undefined;
}

/** A connection that lasts shorter counts as one that failed. */
const goodConnectionMs = 10_000;
const firstWaitMs = 1000;
const longestWaitMs = 5 * 60_000;
const requestMs = 10_000;

/**
 * @internal
 * @throws ParleyError that time does not mend, such as UnauthorizedError
 */
export async function* liveEvents<Type extends EventType>(
  api: Transport,
  options: LiveOptions<Type>,
): AsyncGenerator<EventOf<Type>, void, undefined> {
  const { signal } = options;
  if (signal?.aborted) return;
  const stop = new AbortController();
  const unfollow = signal && onAbort(signal, () => stop.abort(signal.reason));
  try {
    yield* new Live(api, options, stop.signal).events() as AsyncGenerator<EventOf<Type>, void, undefined>;
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    unfollow?.();
    stop.abort();
  }
}

class Live {
  readonly #api: Transport;
  readonly #options: LiveOptions;
  readonly #signal: AbortSignal;
  readonly #runtime: Runtime;
  readonly #patience: Patience;
  #feed: Feed = feedFrom(idBefore(0));
  #connection: Connection | null = null;
  /** Connections in a row that failed. */
  #failures = 0;
  #retryAtMs = 0;
  #socketError: ParleyError | null = null;
  #state: LiveState | null = null;

  constructor(api: Transport, options: LiveOptions, signal: AbortSignal) {
    this.#api = api;
    this.#options = options;
    this.#signal = signal;
    this.#runtime = api.runtime;
    this.#patience = patienceOf(
      { wait: (ms) => this.#wait(ms, signal), onTrouble: (error) => this.#onTrouble(error), signal },
      false,
    );
  }

  async *events(): AsyncGenerator<Event, void, undefined> {
    const { after } = this.#options;
    let isAtEnd = after === undefined || after === null;
    this.#feed = feedFrom(await this.#start());
    while (!this.#signal.aborted) {
      yield* this.#fromLog(isAtEnd);
      isAtEnd = false;
      while (this.#connection) yield* this.#fromConnection(this.#connection);
    }
  }

  async #start(): Promise<string> {
    const { after } = this.#options;
    if (typeof after === 'string' && eventIdPattern.test(after)) return after;
    if (after !== undefined && after !== null) return idBefore(timeOf(after));
    return (await this.#persist(() => newestId(this.#list(this.#signal)))) ?? '';
  }

  /** Until a connection is there. */
  async *#fromLog(isAtEnd: boolean): AsyncGenerator<Event, void, undefined> {
    const { types, labels, spaceId } = this.#options;
    const isFiltered = Boolean(types?.length || labels?.length || spaceId);
    const phase = new AbortController();
    const unfollow = onAbort(this.#signal, () => phase.abort());
    const list = this.#list(phase.signal);
    const pages = follow(this.#feed, {
      list: (query) => list({ ...query, type: types, space: spaceId }),
      newest: () => newestId(list),
      isFiltered,
      isAtEnd,
      budget: () => this.#api.budget,
      now: () => this.#runtime.now(),
      wait: (ms) => this.#wait(ms, phase.signal),
      onTrouble: (error) => this.#onTrouble(error),
      patience: this.#patience,
      onEnd: () => {
        this.#report({ via: 'log', error: this.#socketError });
        this.#connect(() => phase.abort());
      },
      signal: phase.signal,
    });
    try {
      for await (const events of pages) {
        const matches = this.#labelFilter();
        for (const event of events) {
          if (this.#signal.aborted) return;
          if (await matches(event)) yield event;
        }
      }
    } finally {
      unfollow();
    }
  }

  /** What is queued, until the connection has ended; then another one follows, or none. */
  async *#fromConnection(connection: Connection): AsyncGenerator<Event, void, undefined> {
    while (!this.#signal.aborted) {
      if (connection.subscribedAtMs !== null && !connection.ending) this.#report(overSocket);
      const item = connection.take();
      if (!item) {
        if (connection.ending) break;
        await connection.changed();
        continue;
      }
      if (this.#feed.has(item.id)) continue;
      const event = item.event ?? (await this.#retrieve(item.id));
      if (!event) continue;
      this.#feed.take([event]);
      yield event;
    }
    this.#settle(connection);
    // The log would be read from the last event on, which may be long ago: the service does it.
    if (this.#failures > 0 || connection.ending?.isOverflow || this.#signal.aborted) return;
    await this.#wait(this.#retryAtMs - this.#runtime.now(), this.#signal);
    this.#connect(() => {});
  }

  /** Opens a connection where its time has come. */
  #connect(onSubscribed: () => void): void {
    if (this.#connection?.ending) this.#settle(this.#connection);
    const { webSocket: WebSocket } = this.#api;
    if (this.#connection || !WebSocket || this.#signal.aborted) return;
    if (this.#runtime.now() < this.#retryAtMs) return;
    const { types, labels, spaceId } = this.#options;
    const subscription = {
      ...(types?.length && { types }),
      ...(labels?.length && { labels }),
      ...(spaceId && { space_id: spaceId }),
      after: this.#feed.resume(),
    };
    this.#connection = new Connection({
      WebSocket,
      address: (signal) => this.#address(signal),
      subscription,
      isKnown: (id) => this.#feed.has(id),
      onSubscribed,
      runtime: this.#runtime,
      signal: this.#signal,
    });
  }

  /** Says when the next connection may be opened. */
  #settle({ ending, subscribedAtMs }: Connection): void {
    this.#connection = null;
    const [now, random] = [this.#runtime.now(), this.#runtime.random()];
    const isGood =
      ending?.isOverflow || (subscribedAtMs !== null && Math.abs(now - subscribedAtMs) >= goodConnectionMs);
    this.#failures = isGood ? 0 : this.#failures + 1;
    this.#socketError = isGood ? null : (ending?.error ?? null);
    const { status, retryAfter } = ending?.error ?? {};
    // A deployment of before there were connections.
    const isNever = status === 404 || status === 405;
    const backoffMs = isNever
      ? longestWaitMs
      : Math.min(longestWaitMs, firstWaitMs * 2 ** (this.#failures - 1));
    // Connections that the service ends together come back one by one.
    const waitMs = isGood ? firstWaitMs * random : backoffMs * (0.5 + random / 2);
    this.#retryAtMs = now + Math.max((retryAfter ?? 0) * 1000, waitMs);
  }

  async #address(signal: AbortSignal): Promise<string> {
    const options = { signal, timeoutMs: requestMs, maxRetries: 0 };
    const { url } = await new LiveOperations(this.#api).open(options);
    // The ticket is never sent in the clear where the key is not.
    const isRight = this.#api.baseUrl.startsWith('https:') ? /^wss:\/\//i : /^wss?:\/\//i;
    if (typeof url === 'string' && isRight.test(url)) return url;
    throw new InvalidArgumentError('The service answered no address to connect to.');
  }

  #list(signal: AbortSignal): ListEvents {
    return (query) =>
      this.#api.list<Event>({ method: 'GET', path: ['events'], query, options: { signal, maxRetries: 0 } });
  }

  /** An event that was too large for a message; undefined: it has expired. */
  async #retrieve(id: string): Promise<Event | undefined> {
    return await this.#persist(() => this.#read<Event>(['events', id]));
  }

  async #read<T>(path: readonly string[], query?: object): Promise<T | undefined> {
    const options = { signal: this.#signal, maxRetries: 0 };
    try {
      return await this.#api.json<T>({ method: 'GET', path, query, options });
    } catch (error) {
      if ((error as ParleyError).status === 404) return undefined;
      throw error;
    }
  }

  /** The labels are those of the thread now, as on a connection. Each thread is read once for each page. */
  #labelFilter(): (event: Event) => Promise<boolean> {
    const { labels } = this.#options;
    const known = new Map<string, readonly string[]>();
    return async ({ data }) => {
      if (!labels?.length) return true;
      const id = 'thread_id' in data ? data.thread_id : null;
      if (typeof id !== 'string') return false;
      const thread = known.has(id)
        ? undefined
        : await this.#persist(() => this.#read<Thread>(['threads', id], { message_limit: 1 }));
      const held = known.get(id) ?? thread?.labels ?? [];
      known.set(id, held);
      return labels.every((label) => held.includes(label));
    };
  }

  /** Until it succeeds. undefined: the signal was aborted. @throws ParleyError that time does not mend */
  async #persist<T>(read: () => Promise<T>): Promise<T | undefined> {
    while (!this.#signal.aborted) {
      try {
        const value = await read();
        this.#patience.succeeded();
        return value;
      } catch (error) {
        await this.#patience.failed(error);
      }
    }
    return undefined;
  }

  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    await this.#runtime.wait(Math.max(0, ms), signal).catch(() => {});
  }

  #onTrouble(error: ParleyError | null): void {
    this.#report(error ? { via: null, error } : { via: 'log', error: this.#socketError });
  }

  #report(state: LiveState): void {
    const before = this.#state;
    if (before?.via === state.via && before.error?.code === state.error?.code) return;
    this.#state = state;
    try {
      this.#options.onState?.(state);
    } catch {
      // Who looks on must not end it.
    }
  }
}

const overSocket: LiveState = { via: 'socket', error: null };

/** Unix milliseconds. @throws InvalidArgumentError */
function timeOf(after: string | Date): number {
  const isDate = after instanceof Date;
  const atMs =
    isDate || /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/i.test(after) ? new Date(after).getTime() : Number.NaN;
  if (!Number.isNaN(atMs)) return atMs;
  throw new InvalidArgumentError(
    '`after` is the id of an event, a Date, or a time such as 2027-01-31T00:00:00Z.',
  );
}
