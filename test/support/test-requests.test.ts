import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hangingServer } from '../adapters/hanging-server.ts';
import { endRequestsWithTests, throwIfTestIsOver, withinTest } from './test-requests.ts';

let stop = () => {};
beforeEach(() => {
  stop = endRequestsWithTests();
});
afterEach(() => stop());

const timedOut = new Error('the test timed out');

const requests = {
  fetch: async (url: string) => (await fetch(url)).status,
  'node:http': async (url: string) => {
    const [response] = (await once(get(url), 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  },
};

it.each(Object.entries(requests))('%s makes no further request when its test is over', async (_, request) => {
  const server = await hangingServer((_count, response) => response.end());
  const test = new AbortController();
  const first = Promise.withResolvers<void>();
  const next = Promise.withResolvers<void>();
  const flow = withinTest(test, async () => {
    await request(server.url);
    first.resolve();
    await next.promise;
    return await request(server.url);
  });
  await first.promise;
  test.abort(timedOut);
  next.resolve();
  await expect(flow).rejects.toBe(timedOut);
  expect(server.requests).toHaveLength(1);
  // Other tests go on.
  expect(await withinTest(new AbortController(), () => request(server.url))).toBe(200);
});

it.each(Object.entries(requests))('%s ends a request in flight when its test is over', async (_, request) => {
  const server = await hangingServer();
  const test = new AbortController();
  const flow = withinTest(test, () => request(server.url));
  while (server.requests.length === 0) await nextTurn();
  test.abort(timedOut);
  await expect(flow).rejects.toBe(timedOut);
});

it('throwIfTestIsOver throws only in the test that is over', async () => {
  const test = new AbortController();
  test.abort(timedOut);
  await expect(withinTest(test, async () => throwIfTestIsOver())).rejects.toBe(timedOut);
  expect(throwIfTestIsOver).not.toThrow();
});
