/** The TypeScript library: what it sends, which errors it throws, when it repeats a request. */
import { inspect } from 'node:util';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import manifest from '../../clients/typescript/package.json' with { type: 'json' };
import {
  AttachmentsTooLargeError,
  GatewayError,
  NotFoundError,
  Parley,
  ParleyError,
  type ProblemCode,
  ProblemError,
  TooManyRequestsError,
} from '../../clients/typescript/src/index.ts';
import { systemRuntime } from '../../clients/typescript/src/runtime.ts';
import { version } from '../../clients/typescript/src/version.ts';
import { apiKey, baseUrl, json, offlineClient, problem, rejection } from './support/offline-client.ts';

const mail = { from: 'a@acme.dev', to: 'anna@example.com', subject: 'Hi', text: 'Hello' };
const sent = { id: 'eml_1' };
const html = (status: number) =>
  new Response('<html><h1>Bad gateway</h1></html>', { status, headers: { 'content-type': 'text/html' } });
const networkError = (code: string) =>
  Object.assign(new TypeError('fetch failed'), {
    cause: Object.assign(new Error(`it is ${code}`), { code }),
  });

describe('a client', () => {
  it('takes key and address from the environment, and appends /api/v2 to an address without a path', async () => {
    const urls: string[] = [];
    const fetch = async (url: string) => {
      urls.push(url);
      return json(200, { data: [], next_cursor: null });
    };
    for (const given of ['https://a.example', 'https://a.example/', 'http://localhost:1/x/api/v2/']) {
      await new Parley({ apiKey: ' k\n', baseUrl: given, fetch }).spaces.list();
    }
    expect(urls).toEqual([
      'https://a.example/api/v2/spaces',
      'https://a.example/api/v2/spaces',
      'http://localhost:1/x/api/v2/spaces',
    ]);
    const { PARLEY_API_KEY: key, PARLEY_BASE_URL: url } = process.env;
    try {
      Object.assign(process.env, { PARLEY_API_KEY: 'k', PARLEY_BASE_URL: 'https://b.example' });
      await new Parley({ fetch }).spaces.list();
      expect(urls.at(-1)).toBe('https://b.example/api/v2/spaces');
      delete process.env.PARLEY_BASE_URL;
      expect(() => new Parley({ fetch })).toThrow(/PARLEY_BASE_URL/);
      delete process.env.PARLEY_API_KEY;
      expect(() => new Parley({ baseUrl })).toThrow(/PARLEY_API_KEY/);
    } finally {
      for (const [name, value] of Object.entries({ PARLEY_API_KEY: key, PARLEY_BASE_URL: url })) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  it.each(['not a url', 'ftp://a.example', 'https://user:pass@a.example', 'https://a.example?x=1'])(
    'refuses the address %s',
    (given) => {
      expect(() => new Parley({ apiKey, baseUrl: given })).toThrow(/base URL/);
    },
  );

  it('shows its key neither in errors nor when it is printed', async () => {
    const { parley } = offlineClient([problem(401, 'unauthorized')], { headers: { 'X-Proxy': 'hushhush' } });
    const error = await rejection(parley.emails.send(mail));
    const shown = [
      inspect(parley, { depth: 10, showHidden: true }),
      JSON.stringify(parley),
      inspect(error, { depth: 10, showHidden: true }),
      JSON.stringify(error),
    ];
    for (const text of shown) expect(text).not.toMatch(/secretsecret|hushhush/);
    expect(() => new Parley({ apiKey: 'secret secret', baseUrl })).toThrow(/^(?!.*secret secret)/);
  });

  it.each([
    ['a page', new Response(`denied: Authorization: Bearer ${apiKey}`, { status: 403 })],
    ['a gateway', json(403, { message: `not a valid key=value pair: 'Bearer ${apiKey}'` })],
  ])('does not repeat its key from %s that shows it', async (_, answer) => {
    const { parley } = offlineClient([answer]);
    const error = await rejection(parley.emails.list().then());
    expect(error.message).toContain('Bearer …');
    expect(inspect(error, { showHidden: true })).not.toContain(apiKey);
  });

  it('says what its options are to who gives the key alone', () => {
    const given = apiKey as unknown as object;
    expect(() => new Parley(given)).toThrow(/new Parley\(\{ apiKey, baseUrl \}\)/);
    expect(() => new Parley(given)).not.toThrow(apiKey);
  });

  it('has the version of its package', () => {
    expect(version).toBe(manifest.version);
  });
});

describe('a request', () => {
  it('has path parameters that are encoded, a query without undefined values, and the body as given', async () => {
    const { parley, requests } = offlineClient([json(200, { data: [], next_cursor: null })]);
    await parley.events.list({ type: ['email.sent', 'email.bounced'], after: undefined, limit: 5 });
    await parley.suppressions.retrieve('a/b?c');
    await parley.threads.reply('thr_1', { text: 'Hi', scheduled_at: new Date(0) });
    expect(
      requests.map(({ method, url, body }) => ({ method, url: url.slice(baseUrl.length), body })),
    ).toEqual([
      { method: 'GET', url: '/events?type=email.sent&type=email.bounced&limit=5', body: undefined },
      { method: 'GET', url: '/suppressions/a%2Fb%3Fc', body: undefined },
      {
        method: 'POST',
        url: '/threads/thr_1/reply',
        body: { text: 'Hi', scheduled_at: '1970-01-01T00:00:00.000Z' },
      },
    ]);
    expect(requests[2]?.headers).toMatchObject({
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'key-1',
      'User-Agent': expect.stringMatching(/^parley-client\/\d/),
    });
  });

  it('has the key and the wait that its options say', async () => {
    const { parley, requests } = offlineClient([json(201, sent)]);
    await parley.emails.send(mail, {
      idempotencyKey: 'order-1',
      waitSeconds: 20,
      headers: { 'X-Request-ID': 'r' },
    });
    await parley.emails.send(mail, { idempotencyKey: null });
    expect(requests[0]?.headers).toMatchObject({
      'Idempotency-Key': 'order-1',
      Prefer: 'wait=20',
      'X-Request-ID': 'r',
    });
    expect(requests[1]?.headers).not.toHaveProperty('Idempotency-Key');
  });

  it('keeps the key for idempotency of a header, and lets no header stand beside its own', async () => {
    const { parley, requests } = offlineClient([json(201, sent)], { headers: { authorization: 'Basic x' } });
    await parley.emails.send(mail, { headers: { 'idempotency-key': 'order-1', ACCEPT: 'text/html' } });
    const { 'User-Agent': _, ...headers } = requests[0]?.headers ?? {};
    expect(headers).toEqual({
      Authorization: `Bearer ${apiKey}`,
      Accept: 'application/json',
      'Content-Type': 'application/json',
      'Idempotency-Key': 'order-1',
    });
  });

  it.each(['a\nb', 'snow ☃'])('is refused for the header value %j, which is not shown', async (value) => {
    const { parley, requests } = offlineClient([json(201, sent)]);
    const error = await rejection(parley.emails.send(mail, { idempotencyKey: value }));
    expect(error).toMatchObject({ code: 'invalid_argument' });
    expect(error.message).toContain('Idempotency-Key');
    expect(error.message).not.toContain(value);
    expect(requests).toEqual([]);
  });

  it.each(['', '.', '..', undefined as unknown as string])('is refused for the id "%s"', async (id) => {
    const { parley, requests } = offlineClient([json(200, {})]);
    expect(await rejection(parley.emails.retrieve(id))).toMatchObject({ code: 'invalid_argument' });
    expect(requests).toEqual([]);
  });

  it('is not redirected, so that the key goes nowhere else', async () => {
    const redirect = new Response(null, { status: 301, headers: { location: 'https://evil.example' } });
    const { parley, requests } = offlineClient([redirect]);
    const error = await rejection(parley.emails.retrieve('eml_1'));
    expect(error).toMatchObject({ code: 'unexpected_response', status: 301 });
    expect(error.message).toMatch(/baseUrl/);
    expect(requests).toMatchObject([{ redirect: 'manual' }]);
  });

  it('downloads a file from the link without the key', async () => {
    const link = new Response(null, { status: 307, headers: { location: 'https://files.example/f?sig=1' } });
    const { parley, requests } = offlineClient([link, new Response('bytes')]);
    const file = await parley.attachments.download('att_1');
    expect(await file.text()).toBe('bytes');
    expect(requests[1]).toMatchObject({ url: 'https://files.example/f?sig=1', headers: {} });
  });

  it('can call an operation that the library does not know', async () => {
    const { parley, requests } = offlineClient([json(200, { ok: true })]);
    expect(await parley.request('POST', '/news/a%20b', { body: { x: 1 }, query: { y: 2 } })).toEqual({
      ok: true,
    });
    expect(requests[0]).toMatchObject({ url: `${baseUrl}/news/a%20b?y=2`, body: { x: 1 } });
  });

  it('can call one that has no answer', async () => {
    const { parley } = offlineClient([new Response(null, { status: 204 })]);
    expect(await parley.request('DELETE', '/news/1')).toBeUndefined();
  });

  it('leaves out headers that are undefined', async () => {
    const { parley, requests } = offlineClient([json(200, {})]);
    const headers = { 'X-Trace': undefined } as unknown as Record<string, string>;
    await parley.emails.retrieve('eml_1', {}, { headers });
    expect(requests[0]?.headers).not.toHaveProperty('X-Trace');
  });
});

describe('an error', () => {
  it('is of the class of its code', async () => {
    const issues = [{ path: 'to.0', message: 'must be an address' }];
    const { parley } = offlineClient([
      problem(404, 'not_found'),
      problem(422, 'invalid_request', { issues }),
    ]);
    const notFound = await rejection(parley.emails.retrieve('eml_1'));
    expect(notFound).toBeInstanceOf(NotFoundError);
    expect(notFound).toBeInstanceOf(ParleyError);
    expect(notFound).toMatchObject({
      name: 'NotFoundError',
      status: 404,
      code: 'not_found',
      requestId: 'req-1',
    });
    const invalid = await rejection(parley.emails.send(mail));
    expect(invalid).toMatchObject({
      name: 'InvalidRequestError',
      issues,
      detail: 'A sentence.',
      retryAfter: null,
    });
    expect(invalid.message).toBe(
      'POST /emails: 422 invalid_request. A sentence. (to.0 must be an address) [request req-1]',
    );
  });

  it('has the type of its code', () => {
    const codeOf = (error: unknown) => (error instanceof ProblemError ? error.code : null);
    expectTypeOf(codeOf).returns.toEqualTypeOf<ProblemCode | null>();
    const narrow = (error: unknown) => (error instanceof NotFoundError ? error.code : null);
    expectTypeOf(narrow).returns.toEqualTypeOf<'not_found' | null>();
  });

  it('of a code that the library does not know is a ProblemError with that code', async () => {
    const { parley } = offlineClient([problem(409, 'brand_new')]);
    const error = await rejection(parley.spaces.create({ name: 'x' }));
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ code: 'brand_new', name: 'BrandNewError', status: 409 });
  });

  it.each([
    [
      'of the gateway',
      json(413, { message: 'Request Entity Too Large' }),
      'gateway_error',
      'Request Entity Too Large',
    ],
    ['in html', html(404), 'unexpected_response', 'is baseUrl'],
    ['without a body', new Response(null, { status: 404 }), 'unexpected_response', 'no body'],
    ['of a success in html', html(200), 'unexpected_response', 'is baseUrl'],
    ['of a success without a body', new Response(null, { status: 200 }), 'unexpected_response', 'no body'],
    ['with a strange problem', problem(400, 'no_body', { issues: [null, { path: 1 }] }), 'no_body', ''],
    ['that is an array', json(400, []), 'unexpected_response', ''],
    ['that is a number', json(400, 4), 'unexpected_response', ''],
  ])('%s is told', async (_, response, code, text) => {
    const { parley } = offlineClient([response], { maxRetries: 0 });
    const error = await rejection(parley.emails.retrieve('eml_1'));
    expect(error).toMatchObject({ code, status: response.status });
    expect(error.message).toContain(text);
    expect(error.message.length).toBeLessThan(600);
  });

  it('of a body without an end is told after a bounded number of bytes', async () => {
    let chunks = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        chunks += 1;
        controller.enqueue(new Uint8Array(1024 * 1024));
      },
    });
    const { parley } = offlineClient([() => new Response(endless, { status: 400 })]);
    expect(await rejection(parley.emails.retrieve('eml_1'))).toMatchObject({ code: 'unexpected_response' });
    expect(chunks).toBeLessThan(5);
  });
});

describe('a failed attempt', () => {
  it('is repeated with the same key after growing waits', async () => {
    const { parley, requests, waits } = offlineClient([
      networkError('ECONNRESET'),
      html(502),
      json(201, sent),
    ]);
    expect(await parley.emails.send(mail)).toEqual(sent);
    expect(requests.map(({ headers }) => headers['Idempotency-Key'])).toEqual(['key-1', 'key-1', 'key-1']);
    expect(waits).toEqual([375, 750]);
  });

  it('is repeated after Retry-After', async () => {
    const busy = problem(429, 'too_many_requests', {}, { 'retry-after': '2' });
    const { parley, waits } = offlineClient([busy, json(201, sent)]);
    await parley.spaces.create({ name: 'x' });
    expect(waits).toEqual([2125]);
  });

  it('is not repeated when Retry-After is longer than a minute', async () => {
    const { parley, waits } = offlineClient([problem(429, 'sending_limit', {}, { 'retry-after': '3600' })]);
    expect(await rejection(parley.emails.send(mail))).toMatchObject({
      code: 'sending_limit',
      retryAfter: 3600,
    });
    expect(waits).toEqual([]);
  });

  it('is the last one after maxRetries', async () => {
    const { parley, requests } = offlineClient([problem(429, 'too_many_requests')]);
    expect(await rejection(parley.emails.send(mail, { maxRetries: 2 }))).toBeInstanceOf(TooManyRequestsError);
    expect(requests).toHaveLength(3);
    expect(await rejection(parley.emails.send(mail))).toBeInstanceOf(TooManyRequestsError);
    expect(requests).toHaveLength(7);
  });

  const lost = networkError('ECONNRESET');
  const cut = () =>
    new Response('{"id":"e', { status: 200, headers: { 'content-type': 'application/json' } });
  const gateway = json(503, { message: 'Service Unavailable' });

  it.each([
    ['a send', lost, 2, (p: Parley) => p.emails.send(mail)],
    ['a send', cut, 2, (p: Parley) => p.emails.send(mail)],
    ['a send', gateway, 2, (p: Parley) => p.emails.send(mail)],
    ['a send', problem(500, 'internal_error'), 2, (p: Parley) => p.emails.send(mail)],
    ['a send without a key', lost, 1, (p: Parley) => p.emails.send(mail, { idempotencyKey: null })],
    ['a send with an outcome', problem(502, 'send_failed'), 1, (p: Parley) => p.emails.send(mail)],
    ['a send with an outcome', problem(502, 'provider_error'), 1, (p: Parley) => p.emails.send(mail)],
    ['a send with an outcome', problem(429, 'rate_limited'), 1, (p: Parley) => p.emails.send(mail)],
    ['a refused send', problem(409, 'domain_unverified'), 1, (p: Parley) => p.emails.send(mail)],
    ['a read', lost, 2, (p: Parley) => p.emails.retrieve('eml_1')],
    ['a read', cut, 2, (p: Parley) => p.emails.retrieve('eml_1')],
    ['a read', problem(500, 'internal_error'), 2, (p: Parley) => p.emails.retrieve('eml_1')],
    ['a change', lost, 2, (p: Parley) => p.spaces.update('spc_1', { name: 'x' })],
    ['a deletion', lost, 2, (p: Parley) => p.spaces.delete('spc_1')],
    ['a creation', lost, 1, (p: Parley) => p.spaces.create({ name: 'x' })],
    ['a creation', gateway, 1, (p: Parley) => p.apiKeys.create({ name: 'x', scope: 'read' })],
    ['a creation', problem(500, 'internal_error'), 1, (p: Parley) => p.spaces.create({ name: 'x' })],
    ['a creation', networkError('ECONNREFUSED'), 2, (p: Parley) => p.spaces.create({ name: 'x' })],
    ['a creation', problem(429, 'too_many_requests'), 2, (p: Parley) => p.spaces.create({ name: 'x' })],
    ['a rotation', lost, 1, (p: Parley) => p.webhookEndpoints.rotateSecret('whk_1')],
    ['a verification', lost, 2, (p: Parley) => p.domains.verify('dom_1')],
  ])('of %s (%o) makes %d requests', async (_, reply, count, call) => {
    const { parley, requests } = offlineClient([reply, json(200, {})], { maxRetries: 1 });
    await Promise.resolve(call(parley)).catch(() => {});
    expect(requests).toHaveLength(count);
  });

  it('of a deletion whose answer was lost is a success when nothing is there any more', async () => {
    const { parley } = offlineClient([lost, problem(404, 'not_found')]);
    expect(await parley.spaces.delete('spc_1')).toBeUndefined();
    const fresh = offlineClient([problem(404, 'not_found')]);
    expect(await rejection(fresh.parley.spaces.delete('spc_1'))).toBeInstanceOf(NotFoundError);
  });

  it('is reported with the wait before the next one', async () => {
    const attempts: unknown[] = [];
    const onAttempt = (attempt: unknown) => attempts.push(attempt);
    const { parley } = offlineClient([lost, json(201, sent)], { onAttempt });
    await parley.emails.send(mail);
    const shared = { method: 'POST', path: '/emails', durationMs: 0 };
    expect(attempts).toEqual([
      { ...shared, attempt: 1, status: null, requestId: null, retryInMs: 375 },
      { ...shared, attempt: 2, status: 201, requestId: 'req-1', retryInMs: null },
    ]);
  });

  it('ends after a number of retries that is none', async () => {
    const { parley, requests } = offlineClient([problem(429, 'too_many_requests')]);
    await rejection(parley.emails.send(mail, { maxRetries: Number.NaN }));
    expect(requests).toHaveLength(1);
  });

  it('is no failure when only the hook for logs failed', async () => {
    const onAttempt = () => {
      throw new Error('the log is full');
    };
    const { parley } = offlineClient([json(201, sent)], { onAttempt });
    expect(await parley.emails.send(mail)).toEqual(sent);
  });

  it('of the gateway is told when it was the last one', async () => {
    const { parley } = offlineClient([gateway]);
    expect(await rejection(parley.emails.send(mail))).toBeInstanceOf(GatewayError);
  });
});

describe('a request that takes too long', () => {
  const never = () => new Promise<Response>(() => {});
  /** Its headers arrive, its body does not. */
  const half = () => new Response(new ReadableStream({ start: (c) => c.enqueue(new Uint8Array([123])) }));

  it.each([
    ['without an answer', never],
    ['in the middle of its body', half],
  ])('ends %s, and is repeated', async (_, reply) => {
    const { parley, requests } = offlineClient([reply, json(201, sent)], { timeoutMs: 5 });
    expect(await parley.emails.send(mail)).toEqual(sent);
    expect(requests).toHaveLength(2);
    const error = await rejection(
      offlineClient([reply], { timeoutMs: 1, maxRetries: 0 }).parley.emails.send(mail),
    );
    expect(error).toMatchObject({ code: 'timeout', name: 'TimeoutError', status: null });
  });

  it.each([
    ['without an answer', never],
    ['in the middle of its body', half],
  ])('ends with its signal %s, and is not repeated', async (_, reply) => {
    const controller = new AbortController();
    const { parley, requests } = offlineClient([
      () => {
        queueMicrotask(() => controller.abort('enough'));
        return reply();
      },
    ]);
    const error = await rejection(parley.emails.send(mail, { signal: controller.signal }));
    expect(error).toMatchObject({ code: 'aborted', cause: 'enough' });
    expect(requests).toHaveLength(1);
    expect(await rejection(parley.emails.send(mail, { signal: controller.signal }))).toMatchObject({
      code: 'aborted',
    });
    expect(requests).toHaveLength(1);
  });

  it('ends with its signal in the wait between two attempts', async () => {
    const controller = new AbortController();
    const { parley, requests } = offlineClient([problem(429, 'too_many_requests')], {
      onAttempt: () => controller.abort(),
    });
    expect(await rejection(parley.emails.send(mail, { signal: controller.signal }))).toMatchObject({
      code: 'aborted',
    });
    expect(requests).toHaveLength(1);
  });
});

describe('a signal', () => {
  it('has one listener, however many calls and waits it can end, and ends all of them', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const listen = vi.spyOn(signal, 'addEventListener');
    const { parley } = offlineClient([() => new Promise<Response>(() => {})]);
    const calls = Array.from({ length: 20 }, () => rejection(parley.emails.send(mail, { signal })));
    const wait = rejection(systemRuntime.wait(60_000, signal));
    await vi.waitFor(() => expect(listen).toHaveBeenCalled());
    controller.abort(new Error('enough'));
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ code: 'aborted' });
    expect(await wait).toMatchObject({ message: 'enough' });
    expect(listen).toHaveBeenCalledOnce();
  });
});

describe('a request without a limit of time', () => {
  it.each([Number.POSITIVE_INFINITY, 2 ** 40])('waits for its answer: %d', async (timeoutMs) => {
    const { parley } = offlineClient([
      async () => json(201, await new Promise((done) => setImmediate(done, sent))),
    ]);
    expect(await parley.emails.send(mail, { timeoutMs })).toEqual(sent);
  });
});

describe('a list', () => {
  const pages = [
    json(200, { data: [1, 2], next_cursor: 'b' }),
    json(200, { data: [], next_cursor: 'c' }),
    json(200, { data: [3], next_cursor: null }),
  ];
  const texts = (requests: readonly { url: string }[]) =>
    requests.map(({ url }) => url.slice(baseUrl.length));

  it('is read over all pages by iteration, with the same filters', async () => {
    const { parley, requests } = offlineClient(pages);
    const items: unknown[] = [];
    for await (const item of parley.emails.list({ limit: 2, query: 'a b' })) items.push(item);
    expect(items).toEqual([1, 2, 3]);
    expect(texts(requests)).toEqual([
      '/emails?limit=2&query=a+b',
      '/emails?limit=2&query=a+b&cursor=b',
      '/emails?limit=2&query=a+b&cursor=c',
    ]);
  });

  it('is read no further than iteration goes', async () => {
    const { parley, requests } = offlineClient(pages);
    for await (const _ of parley.emails.list()) break;
    expect(requests).toHaveLength(1);
    expect(await offlineClient(pages).parley.emails.list().toArray({ max: 1 })).toEqual([1]);
  });

  it('is one page when awaited, which leads to the next one', async () => {
    const { parley, requests } = offlineClient(pages);
    const first = await parley.emails.list();
    expect(first).toMatchObject({ items: [1, 2], next_cursor: 'b' });
    expect(requests).toHaveLength(1);
    const second = await first.nextPage();
    expect(second).toMatchObject({ items: [], next_cursor: 'c' });
    const third = await second?.nextPage();
    expect(third).toMatchObject({ items: [3], next_cursor: null });
    expect(await third?.nextPage()).toBeNull();
  });

  it('asks nothing before it is read, and rejects in the place that reads it', async () => {
    const { parley, requests } = offlineClient([problem(403, 'forbidden')]);
    const list = parley.emails.list();
    await Promise.resolve();
    expect(requests).toEqual([]);
    expect(await list.catch((error: unknown) => (error as ParleyError).code)).toBe('forbidden');
  });

  it('of the messages of a thread goes over all pages', async () => {
    const { parley, requests } = offlineClient([
      json(200, { messages: [1, 2], next_message_cursor: 'eml_2' }),
      json(200, { messages: [3], next_message_cursor: null }),
    ]);
    const messages: unknown[] = [];
    for await (const message of parley.threads.messages('thr_1', { message_limit: 2 }))
      messages.push(message);
    expect(messages).toEqual([1, 2, 3]);
    expect(texts(requests)).toEqual([
      '/threads/thr_1?message_limit=2',
      '/threads/thr_1?message_limit=2&message_cursor=eml_2',
    ]);
  });
});

describe('attachments over 25 MB', () => {
  it('are refused before anything is sent', async () => {
    const { parley, requests } = offlineClient([json(201, sent)]);
    const content = new Uint8Array(27_000_000);
    const error = await rejection(parley.emails.send({ ...mail, attachments: [{ filename: 'a', content }] }));
    expect(error).toBeInstanceOf(AttachmentsTooLargeError);
    expect(requests).toEqual([]);
  });
});
