/**
 * One WebSocket, from its ticket until it ends: what it brings is queued, without what is known. The queue has a limit: a consumer that
 * is slower ends the connection, and reads on in the log at its own pace.
 */
import { ConnectionError, ParleyError, TimeoutError, UnexpectedResponseError } from '../errors.ts';
import type { WebSocketClass, WebSocketLike } from '../options.ts';
import { onAbort, type Runtime } from '../runtime.ts';
import type { Event } from '../types.ts';
import { eventIdPattern } from './feed.ts';

/** Events, and characters of their messages, that wait for the consumer. */
export const queuedMax = 1000;
const queuedCharactersMax = 8 * 1024 * 1024;
/** API Gateway sends messages of at most 128 KB ("Amazon API Gateway quotas"). */
const messageCharactersMax = 256 * 1024;

/** How often the connection is looked at; what is asked for has this time to come. */
export const lookEveryMs = 10_000;
/** Looks without a message until a ping: less than the 350 s after which NAT gateways forget a connection. */
const quietLooksMax = 24;

export interface LiveItem {
  readonly id: string;
  /** null: it is too large for a message, and to be read. */
  readonly event: Event | null;
  readonly characters: number;
}

/** Why a connection ended. */
export interface Ending {
  readonly error: ParleyError;
  /** The consumer was too slow. */
  readonly isOverflow: boolean;
}

export interface ConnectionPorts {
  readonly WebSocket: WebSocketClass;
  /** Asks for a ticket: the address to connect to. */
  readonly address: (signal: AbortSignal) => Promise<string>;
  /** The body of `subscribe`. */
  readonly subscription: object;
  readonly isKnown: (id: string) => boolean;
  readonly onSubscribed: () => void;
  readonly runtime: Runtime;
  readonly signal: AbortSignal;
}

interface Message {
  readonly type?: unknown;
  readonly event?: unknown;
  readonly id?: unknown;
  readonly code?: unknown;
  readonly problem?: { readonly code?: unknown; readonly detail?: unknown };
}

export class Connection {
  readonly #ports: ConnectionPorts;
  readonly #stop = new AbortController();
  readonly #queue: LiveItem[] = [];
  readonly #unfollow: () => void;
  #socket: WebSocketLike | null = null;
  #characters = 0;
  #hasHeard = false;
  #ending: Ending | null = null;
  #subscribedAtMs: number | null = null;
  #wake: () => void = () => {};

  constructor(ports: ConnectionPorts) {
    this.#ports = ports;
    this.#unfollow = onAbort(ports.signal, () => this.close());
    void this.#run();
  }

  /** null: it is open, or being opened. What is queued remains. */
  get ending(): Ending | null {
    return this.#ending;
  }

  /** By the clock of the runtime; null: never. */
  get subscribedAtMs(): number | null {
    return this.#subscribedAtMs;
  }

  /** The next one that is queued. */
  take(): LiveItem | undefined {
    const item = this.#queue.shift();
    this.#characters -= item?.characters ?? 0;
    return item;
  }

  /** Resolves when something is queued, or it has ended. For one waiting consumer. */
  async changed(): Promise<void> {
    if (this.#queue.length > 0 || this.#ending) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  close(): void {
    this.#end(lost('It was closed.'));
  }

  async #run(): Promise<void> {
    try {
      const url = await this.#ports.address(this.#stop.signal);
      if (this.#ending) return;
      this.#open(url);
      await this.#watch();
    } catch (cause) {
      this.#end(cause instanceof ParleyError ? cause : lost('It could not be opened.', cause));
    }
  }

  #open(url: string): void {
    const socket = new this.#ports.WebSocket(url);
    this.#socket = socket;
    socket.addEventListener('open', () => this.#send({ action: 'subscribe', ...this.#ports.subscription }));
    socket.addEventListener('message', ({ data }) => this.#receive(data));
    socket.addEventListener('error', () => this.#end(lost('It failed.')));
    socket.addEventListener('close', () => this.#end(lost('It was closed by the service, or a proxy.')));
  }

  #send(message: object): void {
    if (this.#ending) return;
    try {
      this.#socket?.send(JSON.stringify(message));
    } catch (cause) {
      this.#end(lost('It could not be written to.', cause));
    }
  }

  /** Ends a connection on which nothing comes any more: the network of the other side may have gone without a word. */
  async #watch(): Promise<void> {
    const { runtime } = this.#ports;
    let quietLooks = 0;
    for (let isAsked = true; !this.#ending; ) {
      const lookedAtMs = runtime.now();
      await runtime.wait(lookEveryMs, this.#stop.signal);
      const hasHeard = this.#hasHeard;
      this.#hasHeard = false;
      quietLooks = hasHeard ? 0 : quietLooks + 1;
      if ((isAsked && !hasHeard) || this.#subscribedAtMs === null) {
        throw new TimeoutError({ ...facts, detail: `Nothing came within ${lookEveryMs} ms.` });
      }
      // The machine slept, or its clock was set.
      const isOdd = Math.abs(runtime.now() - lookedAtMs - lookEveryMs) > 2 * lookEveryMs;
      isAsked = isOdd || (quietLooks > 0 && quietLooks % quietLooksMax === 0);
      if (isAsked) this.#send({ action: 'ping' });
    }
  }

  #receive(data: unknown): void {
    if (this.#ending) return;
    this.#hasHeard = true;
    const message = typeof data === 'string' && data.length <= messageCharactersMax ? parse(data) : null;
    switch (message?.type) {
      case 'subscribed':
        this.#subscribedAtMs ??= this.#ports.runtime.now();
        this.#ports.onSubscribed();
        break;
      case 'event':
      case 'omitted':
        this.#keep(itemOf(message, String(data).length));
        break;
      case 'closed':
        this.#end(lost(`The service ended it: ${String(message.code).slice(0, 100)}.`));
        break;
      case 'problem':
        this.#end(problemOf(message.problem));
        break;
      default:
        // A type that came later; but the gateway's own error has none.
        if (typeof message?.type !== 'string') this.#end(odd());
    }
  }

  #keep(item: LiveItem | null): void {
    if (!item) {
      this.#end(odd());
      return;
    }
    if (this.#ports.isKnown(item.id)) return;
    const isFull =
      this.#queue.length >= queuedMax || this.#characters + item.characters > queuedCharactersMax;
    if (isFull) {
      this.#end(lost('Events came quicker than they were taken.'), true);
      return;
    }
    this.#queue.push(item);
    this.#characters += item.characters;
    this.#wake();
  }

  #end(error: ParleyError, isOverflow = false): void {
    if (this.#ending) return;
    this.#ending = { error, isOverflow };
    this.#unfollow();
    this.#stop.abort(error);
    try {
      this.#socket?.close();
    } catch {
      // It is over either way.
    }
    this.#wake();
  }
}

const facts = { request: 'WebSocket' } as const;

const lost = (detail: string, cause?: unknown): ParleyError =>
  new ConnectionError({ ...facts, detail, ...(cause !== undefined && { cause }) });

const odd = (): ParleyError =>
  new UnexpectedResponseError({ ...facts, detail: 'The service sent what is no message of the API.' });

/** null: it is no event. */
function itemOf({ type, event, id }: Message, characters: number): LiveItem | null {
  if (type === 'omitted') return isEventId(id) ? { id, event: null, characters: 0 } : null;
  return isEvent(event) ? { id: event.id, event, characters } : null;
}

function problemOf({ code, detail }: NonNullable<Message['problem']> = {}): ParleyError {
  const [ofCode, ofDetail] = [code, detail].map((text) => (typeof text === 'string' ? text : null));
  return new ParleyError(ofCode ?? 'unexpected_response', {
    ...facts,
    detail: ofDetail ?? 'It was refused.',
  });
}

function parse(text: string): Message | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

const isEventId = (value: unknown): value is string =>
  typeof value === 'string' && eventIdPattern.test(value);

function isEvent(value: unknown): value is Event {
  const { id, type, data } = (value ?? {}) as { id?: unknown; type?: unknown; data?: unknown };
  return isEventId(id) && typeof type === 'string' && typeof data === 'object' && data !== null;
}
