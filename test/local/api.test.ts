import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ApiOptions, handleRequest, matchRoute, type Route, stageBucket } from '../../lib/local/api.ts';
import { InvocationFailed } from '../../lib/local/function-thread.ts';
import { type HttpRequest, startHttp } from '../../lib/local/http-server.ts';

const routes: readonly Route[] = [
  { method: 'GET', path: '/things/{thing_id}', functionArn: 'arn:retrieve', credentialsArn: null },
  { method: 'GET', path: '/things/newest', functionArn: 'arn:newest', credentialsArn: null },
  { method: 'POST', path: '/things/{thing_id}/parts/{part}', functionArn: 'arn:part', credentialsArn: null },
  { method: '*', path: null, functionArn: 'arn:fallback', credentialsArn: null },
];
const mayInvoke = () => true;
const nowMs = Date.UTC(2026, 10, 21, 8, 1, 2, 345);

function request(given: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: 'GET',
    target: '/things/1',
    rawHeaders: ['Host', '127.0.0.1:3000'],
    body: Buffer.alloc(0),
    sourceIp: '127.0.0.1',
    ...given,
  };
}

/** Handles a request; returns the event and the invoked function. */
async function eventOf(given: Partial<HttpRequest>) {
  let seen: [string, unknown] | undefined;
  const invoke = async (functionArn: string, event: unknown) => {
    seen = [functionArn, event];
    return { statusCode: 204 };
  };
  await handleRequest(request(given), { routes, invoke, now: () => nowMs, mayInvoke });
  return seen;
}

function answering(result: unknown, options: Partial<ApiOptions> = {}) {
  return handleRequest(request(), {
    routes,
    invoke: async () => result,
    now: () => nowMs,
    mayInvoke,
    ...options,
  });
}

describe('apiEvent', () => {
  it('builds every field of payload format 2.0', async () => {
    const event = await eventOf({
      method: 'POST',
      target: '/things/a%20b/parts/%C3%BC?x=1&y=%20&x=2',
      rawHeaders: [
        ...['Host', '127.0.0.1:3000', 'User-Agent', 'test', 'X-Two', 'a', 'x-two', 'b'],
        ...['Cookie', 'c=1; d=2', 'Content-Type', 'application/json; charset=utf-8', 'Connection', 'close'],
      ],
      body: Buffer.from('{"ü":1}'),
    });
    expect(event).toEqual([
      'arn:part',
      {
        version: '2.0',
        routeKey: 'POST /things/{thing_id}/parts/{part}',
        rawPath: '/things/a%20b/parts/%C3%BC',
        rawQueryString: 'x=1&y=%20&x=2',
        cookies: ['c=1', 'd=2'],
        headers: {
          host: '127.0.0.1:3000',
          'user-agent': 'test',
          'x-two': 'a,b',
          'content-type': 'application/json; charset=utf-8',
          'x-amzn-trace-id': expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
          'x-forwarded-for': '127.0.0.1',
          'x-forwarded-port': '3000',
          'x-forwarded-proto': 'http',
        },
        queryStringParameters: { x: '1,2', y: ' ' },
        pathParameters: { thing_id: 'a b', part: 'ü' },
        requestContext: {
          accountId: '111111111111',
          apiId: 'local',
          domainName: '127.0.0.1',
          domainPrefix: 'local',
          http: {
            method: 'POST',
            path: '/things/a%20b/parts/%C3%BC',
            protocol: 'HTTP/1.1',
            sourceIp: '127.0.0.1',
            userAgent: 'test',
          },
          requestId: expect.any(String),
          routeKey: 'POST /things/{thing_id}/parts/{part}',
          stage: '$default',
          time: '21/Nov/2026:08:01:02 +0000',
          timeEpoch: nowMs,
        },
        body: '{"ü":1}',
        isBase64Encoded: false,
      },
    ]);
  });

  it.each([
    ['text/plain', 'text', false],
    ['application/problem+json', 'text', false],
    ['application/octet-stream', 'dGV4dA==', true],
    ['application/x-www-form-urlencoded', 'dGV4dA==', true],
    [undefined, 'dGV4dA==', true],
  ])('passes a body of type %s as %s', async (type, body, isBase64Encoded) => {
    const event = await eventOf({
      method: 'POST',
      rawHeaders: type === undefined ? [] : ['Content-Type', type],
      body: Buffer.from('text'),
    });
    expect(event).toMatchObject(['arn:fallback', { body, isBase64Encoded }]);
  });

  it('omits the fields of absent request parts', async () => {
    const [, event] = (await eventOf({ target: '/nowhere' })) ?? [];
    expect(Object.keys(event as object)).toEqual([
      'version',
      'routeKey',
      'rawPath',
      'rawQueryString',
      'headers',
      'requestContext',
      'isBase64Encoded',
    ]);
  });
});

describe('matchRoute', () => {
  it.each([
    ['GET', '/things/1', 'arn:retrieve'],
    ['GET', '/things/newest', 'arn:newest'],
    ['GET', '/things/', 'arn:fallback'],
    ['GET', '/things/1/', 'arn:fallback'],
    ['HEAD', '/things/1', 'arn:fallback'],
    ['DELETE', '/things/1', 'arn:fallback'],
    ['GET', '/THINGS/1', 'arn:fallback'],
  ])('routes %s %s to %s', (method, path, functionArn) => {
    expect(matchRoute(routes, method, path).route.functionArn).toBe(functionArn);
  });
});

describe('handleRequest', () => {
  it('returns status, headers, cookies and a base64 body of the function', async () => {
    const result = {
      statusCode: 201,
      headers: { 'X-Count': 3, 'Content-Type': 'image/png' },
      cookies: ['a=1'],
      body: 'AQI=',
      isBase64Encoded: true,
    };
    expect(await answering(result)).toEqual({
      statusCode: 201,
      headers: { 'x-count': '3', 'content-type': 'image/png' },
      cookies: ['a=1'],
      body: Buffer.from([1, 2]),
    });
  });

  it('returns 200 with the result as body when the function returns no status', async () => {
    expect(await answering({ a: 1 })).toEqual({
      statusCode: 200,
      headers: { 'content-type': 'application/json' },
      cookies: [],
      body: Buffer.from('{"a":1}'),
    });
  });

  it.each([
    ['fails', new InvocationFailed('Error', 'no luck'), 500, 'Internal Server Error'],
    [
      'would get more than 6 MB',
      new InvocationFailed('RequestEntityTooLargeException', 'large'),
      413,
      'Request Entity Too Large',
    ],
  ])("returns the gateway's own response when the function %s", async (_, error, status, message) => {
    const answer = await answering(null, { invoke: () => Promise.reject(error) });
    expect(answer).toEqual({
      statusCode: status,
      headers: { 'content-type': 'application/json' },
      cookies: [],
      body: Buffer.from(JSON.stringify({ message })),
    });
  });
});

describe('handleRequest of a slow function', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('returns 503 when the function runs for more than 30 seconds', async () => {
    const response = answering(null, {
      invoke: (_arn, _event, { onStart }) => {
        onStart();
        return new Promise(() => {});
      },
    });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await response).toEqual({
      statusCode: 503,
      headers: { 'content-type': 'application/json' },
      cookies: [],
      body: Buffer.from('{"message":"Service Unavailable"}'),
    });
  });

  it('returns its response when it waited for a thread that long', async () => {
    const response = answering(null, {
      invoke: async (_arn, _event, { onStart }) => {
        await new Promise((resolve) => setTimeout(resolve, 120_000));
        onStart();
        return { statusCode: 204 };
      },
    });
    await vi.advanceTimersByTimeAsync(120_000);
    expect((await response).statusCode).toBe(204);
  });
});

describe('handleRequest of a throttled stage', () => {
  it('returns 429 without invoking the function', async () => {
    let invocations = 0;
    const response = await answering(null, { admits: () => false, invoke: async () => (invocations += 1) });
    expect([response.statusCode, response.headers, response.body.toString(), invocations]).toEqual([
      429,
      { 'content-type': 'application/json' },
      '{"message":"Too Many Requests"}',
      0,
    ]);
  });
});

describe('stageBucket', () => {
  it('admits as many requests at once as the burst, and then as many as the rate', () => {
    let at = nowMs;
    const admits = stageBucket({ capacity: 5, unitsPerSecond: 50 }, () => at);
    const admitted = (requests: number) => Array.from({ length: requests }, admits).filter(Boolean).length;
    expect(admitted(6)).toBe(5);
    at += 20;
    expect(admitted(2)).toBe(1);
    at += 60_000;
    expect(admitted(6)).toBe(5);
  });
});

describe('handleRequest without permission to invoke', () => {
  it('returns 500 without invoking the function', async () => {
    let invocations = 0;
    const invoke = async () => (invocations += 1);
    const response = await answering(null, {
      invoke,
      mayInvoke: ({ path }) => path !== '/things/{thing_id}',
    });
    expect([response.statusCode, response.body.toString(), invocations]).toEqual([
      500,
      '{"message":"Internal Server Error"}',
      0,
    ]);
  });
});

describe('startHttp', () => {
  it('returns 413 above 10 MB, and no body for HEAD', async () => {
    const options = {
      routes,
      invoke: async () => ({ statusCode: 200, body: 'hello' }),
      now: () => nowMs,
      mayInvoke,
    };
    const server = await startHttp(0, (given) => handleRequest(given, options));
    const url = `http://127.0.0.1:${server.port}/things/1`;
    const large = await fetch(url, { method: 'POST', body: Buffer.alloc(10 * 1024 * 1024 + 1) });
    expect([large.status, await large.json()]).toEqual([413, { message: 'Request Entity Too Large' }]);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text(), head.headers.get('content-type')]).toEqual([
      200,
      '',
      'text/plain;charset=UTF-8',
    ]);
    await server.close();
  });
});
