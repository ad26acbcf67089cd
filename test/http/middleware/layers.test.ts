import { describe, expect, it } from 'vitest';
import { Problem } from '../../../lib/core/problems.ts';
import { TableBusy } from '../../../lib/core/work/table-busy.ts';
import { authenticate } from '../../../lib/http/middleware/authenticate.ts';
import { problems } from '../../../lib/http/middleware/problems.ts';
import { requestId } from '../../../lib/http/middleware/request-id.ts';
import { responseHeaders } from '../../../lib/http/middleware/response-headers.ts';
import { scope } from '../../../lib/http/middleware/scope.ts';
import type { GatewayResponse, Middleware } from '../../../lib/http/request-context.ts';
import { captureLog } from '../../support/log-lines.ts';
import {
  caller,
  dependencies,
  type EventInput,
  exchangeOf,
  layerRequest,
  thrownBy,
  urls,
} from '../gateway.ts';

/** Runs the way in of a layer; the exchange, and the code of the Problem it threw. */
async function enter(layer: Middleware, input: EventInput, prepare = {}) {
  const exchange = Object.assign(exchangeOf(input), prepare);
  const thrown = await thrownBy(() => layer.before?.(layerRequest(exchange)));
  if (thrown !== undefined && !(thrown instanceof Problem)) throw thrown;
  return { exchange, problem: thrown, code: thrown?.code };
}

describe('request id', () => {
  const idFor = async (given: string) =>
    (await enter(requestId(), { headers: { 'X-Request-ID': given } })).exchange.requestId;

  it.each(['a', 'A.b_c:d-9', 'x'.repeat(128)])('echoes the valid id %s', async (given) => {
    expect(await idFor(given)).toBe(given);
  });

  it.each(['', 'x'.repeat(129), 'a b', 'a,b', 'ä', 'a/b', 'a\n'])(
    'replaces the invalid id %j',
    async (given) => {
      expect(await idFor(given)).toMatch(/^[A-Za-z0-9._:-]{20,128}$/);
    },
  );

  it('gives every request without one an id of its own', async () => {
    const ids = await Promise.all([enter(requestId(), {}), enter(requestId(), {})]);
    expect(new Set(ids.map(({ exchange }) => exchange.requestId)).size).toBe(2);
  });
});

describe('response headers', () => {
  it.each(['after', 'onError'] as const)('are complete on the way out (%s)', async (way) => {
    const exchange = Object.assign(exchangeOf(), { requestId: 'r1' });
    const response: GatewayResponse = { statusCode: 200, headers: { 'content-type': 'application/json' } };
    await responseHeaders()[way]?.({ ...layerRequest(exchange), response });
    expect(response.headers).toEqual({
      'content-type': 'application/json',
      'cache-control': 'private, no-store',
      'x-request-id': 'r1',
    });
  });
});

describe('authenticate', () => {
  const layer = () => authenticate('things.list', dependencies.findCaller);

  it.each(['Bearer full', 'bearer full', 'BEARER  full'])('takes the key of "%s"', async (authorization) => {
    const { exchange } = await enter(layer(), { headers: { authorization } });
    expect(exchange.caller).toEqual(caller);
  });

  it.each([
    undefined,
    '',
    'full',
    'Bearer',
    'Bearer ',
    'Bearer unknown',
    'Basic full',
    'Bearer full, Bearer full',
    'Bearer full read',
    `Bearer ${'x'.repeat(513)}`,
  ])('refuses %j with 401 and says how to authenticate', async (authorization) => {
    const { problem } = await enter(layer(), {
      headers: authorization === undefined ? {} : { authorization },
    });
    expect(problem?.code).toBe('unauthorized');
    expect(problem?.headers).toEqual({ 'www-authenticate': 'Bearer' });
  });

  it('lets the note of the use run beside the handler and ends it before the answer', async () => {
    const note = Promise.withResolvers<void>();
    let isNoted = false;
    const noting = authenticate('things.list', async () => ({
      caller,
      recordUse: () =>
        note.promise.then(() => {
          isNoted = true;
        }),
    }));
    const { exchange } = await enter(noting, { headers: { authorization: 'Bearer full' } });
    expect(isNoted).toBe(false);
    note.resolve();
    await noting.after?.(layerRequest(exchange));
    expect(isNoted).toBe(true);
  });

  it('does not fail a request whose use could not be noted', async () => {
    const lines = captureLog();
    const failing = authenticate('things.list', async () => ({
      caller,
      recordUse: () => Promise.reject(new Error('throttled')),
    }));
    const { exchange } = await enter(failing, { headers: { authorization: 'Bearer full' } });
    await failing.after?.(layerRequest(exchange));
    expect(lines).toMatchObject([{ event: 'api.key_use_not_recorded', error: { message: 'throttled' } }]);
  });
});

describe('scope', () => {
  it.each([
    ['read', 'read', undefined],
    ['read', 'sending', 'forbidden'],
    ['read', 'full', 'forbidden'],
    ['sending', 'read', undefined],
    ['sending', 'sending', undefined],
    ['sending', 'full', 'forbidden'],
    ['full', 'read', undefined],
    ['full', 'sending', undefined],
    ['full', 'full', undefined],
  ] as const)('a key of scope %s, where %s is needed: %s', async (held, needed, code) => {
    const entered = await enter(scope(needed), {}, { caller: { ...caller, scope: held } });
    expect(entered.code).toBe(code);
  });
});

describe('problems', () => {
  function answerTo(error: Error, docsUrl = ''): GatewayResponse {
    const exchange = Object.assign(exchangeOf(), { requestId: 'r1' });
    const request: Parameters<NonNullable<Middleware['onError']>>[0] = { ...layerRequest(exchange), error };
    problems('things.list', () => ({ ...urls(), docsUrl })).onError?.(request);
    return request.response ?? {};
  }

  it('presents a Problem whole, with its headers', () => {
    const problem = new Problem('method_not_allowed', 'No.', {
      headers: { Allow: 'GET' },
      issues: [{ path: 'a', message: 'b' }],
    });
    const { statusCode, headers, body } = answerTo(problem, 'https://docs.example.com/');
    expect(statusCode).toBe(405);
    expect(headers).toEqual({ allow: 'GET', 'content-type': 'application/problem+json' });
    expect(JSON.parse(body ?? '')).toEqual({
      type: 'https://docs.example.com/problems/method_not_allowed',
      title: 'Method Not Allowed',
      status: 405,
      detail: 'No.',
      code: 'method_not_allowed',
      request_id: 'r1',
      issues: [{ path: 'a', message: 'b' }],
    });
  });

  it('names the problem under the API itself where there are no docs', () => {
    const { body } = answerTo(new Problem('not_found', 'No.'));
    expect(JSON.parse(body ?? '').type).toBe('https://api.example.com/problems/not_found');
  });

  it('logs what is no Problem once, with causes and request id, and shows nothing of it', () => {
    const lines = captureLog();
    const cause = Object.assign(new Error('inner'), { item: { subject: 'private mail' } });
    const { statusCode, body } = answerTo(new Error('secret detail', { cause }));
    expect(statusCode).toBe(500);
    expect(body).not.toContain('secret detail');
    expect(JSON.parse(body ?? '').code).toBe('internal_error');
    expect(lines).toMatchObject([
      {
        event: 'api.internal_error',
        level: 'ERROR',
        operation: 'things.list',
        request_id: 'r1',
        error: {
          cause: { message: 'secret detail', stack: expect.any(String), cause: { message: 'inner' } },
        },
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain('private mail');
  });

  it('answers too_many_requests with Retry-After where the table is busy', () => {
    const lines = captureLog();
    const { statusCode, headers, body } = answerTo(new TableBusy());
    expect([statusCode, headers?.['retry-after'], JSON.parse(body ?? '').code]).toEqual([
      429,
      '1',
      'too_many_requests',
    ]);
    expect(lines).toEqual([]);
  });

  it('does not log what the client did wrong', () => {
    const lines = captureLog();
    answerTo(new Problem('invalid_request', 'No.'));
    expect(lines).toEqual([]);
  });

  it('logs a problem of the provider by its code, without its detail, which may name addresses', () => {
    const lines = captureLog();
    answerTo(new Problem('send_failed', 'SES refused anna@example.com'));
    expect(lines).toMatchObject([
      { event: 'api.provider_error', level: 'WARN', operation: 'things.list', request_id: 'r1' },
    ]);
    expect(lines).toMatchObject([{ code: 'send_failed' }]);
    expect(JSON.stringify(lines)).not.toContain('anna');
  });
});
