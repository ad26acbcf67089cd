/** The way out, against real receivers on this machine: what it follows, refuses, cuts and reports. */
import { createServer as createTcpServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { freePort, httpReceiver, listen, post } from './receivers.ts';

const resolvingTo =
  (...addresses: string[]) =>
  async () =>
    addresses;

describe('the HTTP client', () => {
  it('posts the body with its headers and returns the response', async () => {
    const seen: unknown[] = [];
    const port = await httpReceiver((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const { method, url, headers } = request;
        seen.push([method, url, headers.host, headers['content-type'], headers['parley-event-id'], body]);
        response.writeHead(202, { 'Retry-After': '7' }).end('thanks');
      });
    });
    const before = Date.now();
    const result = await post(`http://127.0.0.1:${port}/in?a=1`);
    expect(seen).toEqual([
      ['POST', '/in?a=1', `127.0.0.1:${port}`, 'application/json', 'evt_1', '{"ok":true}'],
    ]);
    expect(result).toMatchObject({ statusCode: 202, response: 'thanks', error: null, retryAfter: '7' });
    expect(result.attemptedAt).toBeGreaterThanOrEqual(before);
    expect(result.durationMs).toBeGreaterThanOrEqual(0);
  });

  it('returns the response when the receiver refuses', async () => {
    const port = await httpReceiver((_request, response) =>
      response.writeHead(503, { 'Retry-After': '120' }).end('busy'),
    );
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      statusCode: 503,
      response: 'busy',
      error: null,
      retryAfter: '120',
    });
  });

  it('keeps 2 KB and closes the connection when a response does not end', async () => {
    const port = await httpReceiver((_request, response) => {
      response.writeHead(200);
      const more = () => {
        while (response.write('é'.repeat(4096)) && !response.destroyed) {}
      };
      response.on('drain', more);
      more();
    });
    const result = await post(`http://127.0.0.1:${port}/`);
    expect(result).toMatchObject({ statusCode: 200, error: null });
    expect(result.response).toBe('é'.repeat(1024));
  });

  it('cuts a response between characters', async () => {
    const port = await httpReceiver((_request, response) => response.end(`x${'é'.repeat(2000)}`));
    expect((await post(`http://127.0.0.1:${port}/`)).response).toBe(`x${'é'.repeat(1023)}`);
  });
});

describe('the time limit', () => {
  it('ends when a receiver never answers', async () => {
    const port = await httpReceiver(() => undefined);
    expect(await post(`http://127.0.0.1:${port}/`, { timeoutMs: 50 })).toMatchObject({
      statusCode: null,
      response: null,
      error: 'timed out after 0.05 s',
    });
  });

  it('ends when a receiver sends its header a byte at a time', async () => {
    const port = await listen(
      createTcpServer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
        const drip = setInterval(() => socket.write('x'), 5);
        socket.on('close', () => clearInterval(drip));
      }),
    );
    const result = await post(`http://127.0.0.1:${port}/`, { timeoutMs: 60 });
    expect(result).toMatchObject({ statusCode: null, error: 'timed out after 0.06 s' });
  });

  it('returns the status when the body does not end', async () => {
    const port = await httpReceiver((_request, response) => {
      response.writeHead(200).write('started');
    });
    expect(await post(`http://127.0.0.1:${port}/`, { timeoutMs: 400 })).toMatchObject({
      statusCode: 200,
      response: 'started',
      error: null,
    });
  });

  it('includes the lookup of the host', async () => {
    const resolve = () => new Promise<string[]>(() => undefined);
    expect(await post('http://hooks.example/', { resolve, timeoutMs: 20 })).toMatchObject({
      statusCode: null,
      error: 'timed out after 0.02 s',
    });
  });

  it('includes all redirects together', async () => {
    const port = await httpReceiver((_request, response) => {
      setTimeout(() => response.writeHead(307, { Location: '/again' }).end(), 30);
    });
    expect(await post(`http://127.0.0.1:${port}/`, { timeoutMs: 45 })).toMatchObject({
      statusCode: null,
      error: 'timed out after 0.045 s',
    });
  });
});

describe('addresses', () => {
  it('are connected to as checked, with the host name in the request', async () => {
    let host: string | undefined;
    const port = await httpReceiver((request, response) => {
      host = request.headers.host;
      response.end();
    });
    const result = await post(`http://hooks.example:${port}/`, { resolve: resolvingTo('127.0.0.1') });
    expect(result.statusCode).toBe(200);
    expect(host).toBe(`hooks.example:${port}`);
  });

  it('keep the host name in the TLS handshake', async () => {
    const names: string[] = [];
    const port = await listen(
      createTlsServer({
        SNICallback: (name, done) => {
          names.push(name);
          done(new Error('no certificate here'));
        },
      }),
    );
    const result = await post(`https://hooks.example:${port}/`, { resolve: resolvingTo('127.0.0.1') });
    expect(names).toEqual(['hooks.example']);
    expect(result).toMatchObject({ statusCode: null, response: null });
    expect(result.error).not.toBeNull();
  });

  it('are resolved once for each host', async () => {
    let times = 0;
    const port = await httpReceiver((_request, response) => response.end());
    const resolve = async () => {
      times++;
      return times === 1 ? ['127.0.0.1'] : ['10.0.0.1'];
    };
    expect((await post(`http://rebind.example:${port}/`, { resolve })).statusCode).toBe(200);
    expect(times).toBe(1);
  });

  it('are refused when one of them is not public', async () => {
    const resolve = resolvingTo('93.184.215.14', '10.0.0.1');
    expect(await post('https://mixed.example/', { resolve, allowInsecure: false })).toMatchObject({
      statusCode: null,
      error: 'the host does not resolve to public addresses only',
    });
  });

  it.each(['169.254.169.254', '::1', '::ffff:127.0.0.1', 'fd00::1', '64:ff9b::a00:1'])(
    'are refused when the host resolves to %s',
    async (address) => {
      expect(
        await post('https://hooks.example/', { resolve: resolvingTo(address), allowInsecure: false }),
      ).toMatchObject({ statusCode: null, error: 'the host does not resolve to public addresses only' });
    },
  );

  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
  ])('refuses %s without looking anything up', async (url) => {
    const resolve = () => Promise.reject(new Error('looked up'));
    expect(await post(url, { resolve, allowInsecure: false })).toMatchObject({
      statusCode: null,
      error: 'URL must not point to an address that is not public',
    });
  });

  it('may be loopback addresses only when the cloud is local', async () => {
    expect(await post('http://hooks.example/', { resolve: resolvingTo('10.0.0.1') })).toMatchObject({
      error: 'the host does not resolve to public addresses only',
    });
  });

  it('says so when a host has no address', async () => {
    expect(await post('http://hooks.example/', { resolve: resolvingTo() })).toMatchObject({
      error: 'host not found',
    });
  });
});

describe('redirects', () => {
  it.each([307, 308])('are followed with the same method and body when the status is %i', async (code) => {
    const seen: string[] = [];
    const port = await httpReceiver((request, response) => {
      request.on('data', (chunk) => seen.push(`${request.method} ${request.url} ${chunk}`));
      request.on('end', () => {
        if (request.url === '/new') response.end('here');
        else response.writeHead(code, { Location: '/new' }).end();
      });
    });
    expect(await post(`http://127.0.0.1:${port}/old`)).toMatchObject({ statusCode: 200, response: 'here' });
    expect(seen).toEqual(['POST /old {"ok":true}', 'POST /new {"ok":true}']);
  });

  it.each([301, 302, 303, 304])('are not followed when the status is %i', async (code) => {
    const port = await httpReceiver((_request, response) =>
      response.writeHead(code, { Location: '/new' }).end(),
    );
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      statusCode: code,
      error: `redirects with ${code} are not followed`,
    });
  });

  it('end after three', async () => {
    let requests = 0;
    const port = await httpReceiver((_request, response) => {
      requests++;
      response.writeHead(307, { Location: '/' }).end();
    });
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      statusCode: 307,
      error: 'more than 3 redirects',
    });
    expect(requests).toBe(4);
  });

  it.each([
    ['http://10.0.0.1/', 'redirect target must not point to an address that is not public'],
    ['http://inside.example/', 'the host does not resolve to public addresses only'],
    ['file:///etc/passwd', 'redirect target must be an https URL'],
    ['http://a:b@hooks.example/', 'redirect target must not carry credentials'],
  ])('does not go to %s', async (location, error) => {
    const port = await httpReceiver((_request, response) =>
      response.writeHead(308, { Location: location }).end(),
    );
    const resolve = async (host: string) => [host === 'inside.example' ? '192.168.0.7' : '127.0.0.1'];
    expect(await post(`http://start.example:${port}/`, { resolve })).toMatchObject({
      statusCode: null,
      error,
    });
  });

  it.each([{}, { Location: 'http://[' }])('fail when the location is invalid (%j)', async (headers) => {
    const port = await httpReceiver((_request, response) => response.writeHead(307, headers).end());
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      statusCode: 307,
      error: 'redirect without a target',
    });
  });
});

describe('the result for a broken receiver', () => {
  it('is connection_refused when the port is closed', async () => {
    const port = await freePort();
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      statusCode: null,
      error: 'connection refused',
    });
    const resolve = resolvingTo('127.0.0.1', '127.0.0.1');
    expect(await post(`http://two.example:${port}/`, { resolve })).toMatchObject({
      error: 'connection refused',
    });
  });

  it('is an error when the connection ends before a response', async () => {
    const port = await listen(createTcpServer((socket) => socket.on('data', () => socket.destroy())));
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      statusCode: null,
      error: 'connection closed before a response',
    });
  });

  it('is an error when the response is not HTTP', async () => {
    const port = await listen(
      createTcpServer((socket) => socket.on('data', () => socket.end('SSH-2.0-x\r\n'))),
    );
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      statusCode: null,
      error: 'response is not HTTP',
    });
  });

  it('is an error when a receiver without TLS is called by https', async () => {
    const port = await listen(
      createTcpServer((socket) => socket.on('data', () => socket.end('HTTP/1.1 400 No\r\n\r\n'))),
    );
    expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({
      statusCode: null,
      error: 'TLS handshake failed',
    });
  });

  it('is an error when the headers do not end', async () => {
    const port = await httpReceiver((_request, response) =>
      response.writeHead(200, { 'X-Big': 'x'.repeat(40_000) }).end(),
    );
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      statusCode: null,
      error: 'response headers are too large',
    });
  });
});
