/** What differs between Node, Bun, Deno, Workers and browsers. No module of Node is imported when the library is loaded. */
import type { WebSocketClass } from './options.ts';

/** Clock, randomness and waits; tests give their own. */
export interface Runtime {
  /** Unix milliseconds. */
  now(): number;
  /** From 0 to 1. */
  random(): number;
  /** Rejects with the reason of the signal when it is aborted. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** A new `Idempotency-Key`. */
  uuid(): Promise<string>;
}

const followers = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when a signal is aborted. All calls share one listener of it: of eleven, Node warns as of a leak.
 *
 * @returns ends it
 */
export function onAbort(signal: AbortSignal, callBack: () => void): () => void {
  const known = followers.get(signal);
  const all = known ?? new Set<() => void>();
  if (!known) {
    followers.set(signal, all);
    signal.addEventListener('abort', () => all.forEach((one) => void one()), { once: true });
  }
  all.add(callBack);
  return () => all.delete(callBack);
}

export const systemRuntime: Runtime = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = setTimeout(() => {
        unfollow?.();
        resolve();
      }, ms);
      const unfollow =
        signal &&
        onAbort(signal, () => {
          clearTimeout(timer);
          reject(signal.reason);
        });
    }),
  uuid: async () => {
    const crypto = await webCrypto();
    // Pages without TLS have `getRandomValues` only.
    if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  },
};

/** The part of Web Crypto that the library uses. */
export interface WebCrypto {
  randomUUID?(): string;
  getRandomValues(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>;
  readonly subtle: {
    importKey(
      format: 'raw',
      key: Uint8Array<ArrayBuffer>,
      algorithm: { readonly name: 'HMAC'; readonly hash: 'SHA-256' },
      extractable: boolean,
      usages: readonly ['verify'],
    ): Promise<WebCryptoKey>;
    verify(
      algorithm: 'HMAC',
      key: WebCryptoKey,
      signature: Uint8Array<ArrayBuffer>,
      data: Uint8Array<ArrayBuffer>,
    ): Promise<boolean>;
  };
}

interface WebCryptoKey {
  readonly type: string;
}

interface Process {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly versions?: Readonly<Record<string, string | undefined>>;
  getBuiltinModule?(name: string): unknown;
}

const globals = globalThis as unknown as {
  readonly process?: Process;
  readonly crypto?: WebCrypto;
  readonly navigator?: { readonly userAgent?: string };
  readonly window?: unknown;
  readonly WebSocket?: WebSocketClass;
};

/** null: Node before version 22 has none. */
export const systemWebSocket = (): WebSocketClass | null => globals.WebSocket ?? null;

/** A variable of the environment; undefined where there is none, or Deno denies it. */
export function environmentVariable(name: string): string | undefined {
  try {
    return globals.process?.env?.[name]?.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Browsers set it themselves. */
export function userAgent(version: string): string | undefined {
  if (globals.window !== undefined && globals.process?.versions?.node === undefined) return undefined;
  const { bun, deno, node } = globals.process?.versions ?? {};
  const [name, of] = bun ? ['bun', bun] : deno ? ['deno', deno] : ['node', node];
  return `parley-client/${version}${of ? ` ${name}/${of}` : ''}`;
}

/** A module of Node; bundlers leave it alone, because its name is not a literal. @throws Error where there is none */
export async function nodeModule<T>(name: string): Promise<T> {
  const builtin = globals.process?.getBuiltinModule?.(name);
  if (builtin) return builtin as T;
  return (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as T;
}

/** Web Crypto; Node 18 has it in a module only. */
export async function webCrypto(): Promise<WebCrypto> {
  if (globals.crypto) return globals.crypto;
  const { webcrypto } = await nodeModule<{ readonly webcrypto: WebCrypto }>('node:crypto');
  return webcrypto;
}
