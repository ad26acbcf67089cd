/**
 * Ends the requests of a test that has timed out. Vitest goes on with the next test, and leaves the function of the last one
 * running: its next request fails, so that it ends instead of working among the calls of other tests.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

/** The context of a test: Vitest aborts its signal when the test times out. */
interface Running {
  readonly signal: AbortSignal;
}

/** On the global object, because Vitest loads the runner once and other modules again for each file. */
const holder = globalThis as { [key: symbol]: AsyncLocalStorage<Running> | undefined };
const key = Symbol.for('parley.test.running');
holder[key] ??= new AsyncLocalStorage();
const running = holder[key];

/** Runs a test: all requests that it causes in this thread are its own. */
export function withinTest<T>(test: Running, run: () => Promise<T>): Promise<T> {
  return running.run(test, run);
}

/** @throws the reason of the signal when the test that calls it has timed out */
export function throwIfTestIsOver(): void {
  running.getStore()?.signal.throwIfAborted();
}

/** Lets the requests of this thread end with their test: those of `fetch`, and those of `node:http`, as the AWS clients make them. */
export function endRequestsWithTests(): () => void {
  const original = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const own = init?.signal ?? (input instanceof Request ? input.signal : null);
    const signals = [running.getStore()?.signal, own].filter((each) => each != null);
    return original(input, { ...init, signal: AbortSignal.any(signals) });
  };
  subscribe(channel, endWithTest);
  return () => {
    globalThis.fetch = original;
    unsubscribe(channel, endWithTest);
  };
}

const channel = 'http.client.request.created';

function endWithTest(message: unknown): void {
  const signal = running.getStore()?.signal;
  if (!signal) return;
  const { request } = message as { request: ClientRequest };
  // Without a listener, the error of a destroyed request ends the process.
  const end = () => request.on('error', () => {}).destroy(signal.reason);
  if (signal.aborted) return void end();
  signal.addEventListener('abort', end);
  request.once('close', () => signal.removeEventListener('abort', end));
}
