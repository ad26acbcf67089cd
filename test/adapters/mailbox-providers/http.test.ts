import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { callForJson, callProvider, errorCode } from '../../../lib/adapters/mailbox-providers/http.ts';
import { ProviderError, type ProviderFailure } from '../../../lib/core/mailboxes/provider.ts';
import { hangingServer } from '../hanging-server.ts';
import { freePort, httpReceiver, listen, tcpReceiver } from '../receivers.ts';

const request = { provider: 'Google', method: 'GET', accessToken: 'the-token' } as const;

async function failure(call: Promise<unknown>): Promise<ProviderError> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof ProviderError) return error;
  throw new Error('the call did not fail with a ProviderError', { cause: error });
}

/** What becomes of a response. */
async function failureOn(status: number, body: unknown = {}, headers: Record<string, string> = {}) {
  const port = await httpReceiver((_, response) => {
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  return await failure(
    callForJson({ ...request, url: `http://127.0.0.1:${port}/`, failures: { tooFast: 'throttled' } }),
  );
}

describe('callProvider', () => {
  it('sends the token and a JSON body, and returns the parsed answer', async () => {
    const seen: unknown[] = [];
    const port = await httpReceiver(async (incoming, response) => {
      const chunks = await incoming.toArray();
      seen.push(
        incoming.headers.authorization,
        incoming.headers['content-type'],
        Buffer.concat(chunks).toString(),
      );
      response.end('{"id":"1"}');
    });
    const url = `http://127.0.0.1:${port}/messages`;
    const answer = await callForJson({ ...request, method: 'POST', url, body: { a: 1 } });
    expect({ answer, seen }).toEqual({
      answer: { id: '1' },
      seen: ['Bearer the-token', 'application/json', '{"a":1}'],
    });
  });

  it('sends a body of another type as it is', async () => {
    const seen: unknown[] = [];
    const port = await httpReceiver(async (incoming, response) => {
      const chunks = await incoming.toArray();
      seen.push(incoming.headers['content-type'], Buffer.concat(chunks).toString());
      response.writeHead(202).end();
    });
    const body = { contentType: 'text/plain', content: 'TUlNRQ==' };
    const answer = await callForJson({ ...request, method: 'POST', url: `http://127.0.0.1:${port}/`, body });
    expect({ answer, seen }).toEqual({ answer: {}, seen: ['text/plain', 'TUlNRQ=='] });
  });

  it.each<[number, ProviderFailure]>([
    [400, 'refused'],
    [401, 'expired'],
    [403, 'refused'],
    [404, 'not_found'],
    [408, 'unknown'],
    [410, 'not_found'],
    [413, 'refused'],
    [429, 'throttled'],
    [500, 'unknown'],
    [503, 'unknown'],
  ])('throws %i as %s', async (status, kind) => {
    expect((await failureOn(status)).kind).toBe(kind);
  });

  it('follows no redirect', async () => {
    expect((await failureOn(302, {}, { location: 'http://127.0.0.1:9/' })).kind).toBe('refused');
  });

  it('lets the code of the provider decide before the status', async () => {
    const body = { error: { code: 403, errors: [{ reason: 'tooFast' }] } };
    const error = await failureOn(403, body, { 'retry-after': '17' });
    expect({ kind: error.kind, wait: error.retryAfterMs, message: error.message }).toEqual({
      kind: 'throttled',
      wait: 17_000,
      message: 'Google answered 403 (tooFast).',
    });
  });

  it('reads a Retry-After that is a date', async () => {
    const at = new Date(now() + 120_000).toUTCString();
    const { retryAfterMs } = await failureOn(429, {}, { 'retry-after': at });
    expect(Math.abs((retryAfterMs ?? 0) - 120_000)).toBeLessThan(5_000);
  });

  it('throws network when nobody listens', async () => {
    const error = await failure(callProvider({ ...request, url: `http://127.0.0.1:${await freePort()}/` }));
    expect(error.kind).toBe('network');
  });

  it('throws network when the host is not found', async () => {
    expect((await failure(callProvider({ ...request, url: 'http://nowhere.invalid/' }))).kind).toBe(
      'network',
    );
  });

  it('throws unknown when the connection breaks after the request', async () => {
    const port = await tcpReceiver((socket) => socket.destroy());
    expect((await failure(callProvider({ ...request, url: `http://127.0.0.1:${port}/` }))).kind).toBe(
      'unknown',
    );
  });

  it('throws unknown when the body breaks off', async () => {
    const port = await tcpReceiver((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"a"'),
    );
    expect((await failure(callProvider({ ...request, url: `http://127.0.0.1:${port}/` }))).kind).toBe(
      'unknown',
    );
  });

  it('throws unknown when no answer comes in time', async () => {
    const { url } = await hangingServer();
    const error = await failure(callProvider({ ...request, url, bounds: { timeoutMs: 50, bytesMax: 10 } }));
    expect(error).toMatchObject({ kind: 'unknown', message: 'Google did not answer within 0.05 s.' });
  });

  it('throws unknown for an answer that is not JSON', async () => {
    const port = await httpReceiver((_, response) => response.end('<html>'));
    expect((await failure(callForJson({ ...request, url: `http://127.0.0.1:${port}/` }))).kind).toBe(
      'unknown',
    );
  });

  it('stops reading a response that is larger than allowed', async () => {
    const port = await listen(
      createServer((_, response) => {
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', more).on('error', () => undefined);
        more();
      }),
    );
    const url = `http://127.0.0.1:${port}/`;
    const error = await failure(
      callProvider({ ...request, url, bounds: { timeoutMs: 5_000, bytesMax: 1_000_000 } }),
    );
    expect(error).toMatchObject({
      kind: 'refused',
      message: 'Google answered with more than 1000000 bytes.',
    });
  });

  it('keeps token, URL and body out of its errors', async () => {
    const error = await failureOn(400, {
      error: { message: 'secret body', code: 'a sentence with the-token' },
    });
    expect(`${error.message} ${JSON.stringify(error)} ${error.cause}`).not.toMatch(
      /secret|the-token|127\.0\.0\.1/,
    );
  });
});

describe('errorCode', () => {
  it.each([
    [
      '{"error":{"errors":[{"reason":"rateLimitExceeded"}],"status":"RESOURCE_EXHAUSTED"}}',
      'rateLimitExceeded',
    ],
    ['{"error":{"code":404,"status":"NOT_FOUND"}}', 'NOT_FOUND'],
    ['{"error":{"code":"ErrorItemNotFound","message":"…"}}', 'ErrorItemNotFound'],
    ['{"error":"invalid_grant"}', 'invalid_grant'],
    ['{"error":{"code":"two words"}}', null],
    [`{"error":"${'x'.repeat(65)}"}`, null],
    ['{"error":{"errors":[null]}}', null],
    ['[]', null],
    ['null', null],
    ['<html>', null],
  ])('reads %s as %s', (body, code) => {
    expect(errorCode(Buffer.from(body))).toBe(code);
  });
});
