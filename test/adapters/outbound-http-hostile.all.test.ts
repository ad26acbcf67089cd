/** Receivers that answer wrongly, slowly or without end: each ends as a failed exchange, in time and in little memory. */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { httpReceiver, listen, post, tcpReceiver } from './receivers.ts';

const timeoutMs = 600;
const limited = { timeoutMs };
const timedOut = { statusCode: null, response: null, error: `timed out after ${timeoutMs / 1000} s` };

/** Writes `chunk` as fast as the client reads, until the connection is closed. */
function flood(socket: Socket, chunk: string | Buffer): void {
  const write = () => {
    while (!socket.destroyed && socket.write(chunk)) {}
  };
  socket.on('drain', write);
  write();
}

/** Writes a byte of `text` every few milliseconds. */
function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => socket.write(text.charAt(at++ % text.length)), 5);
  socket.on('close', () => clearInterval(timer));
}

/** The most memory that this thread uses beyond what it has at the beginning, in bytes. */
async function peakOf(work: () => Promise<void>): Promise<number> {
  const used = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = used();
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, used() - before);
  }, 1);
  await work();
  clearInterval(timer);
  return Math.max(peak, used() - before);
}

const crypto = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));
const certificate = { key: crypto('self-signed.key'), cert: crypto('self-signed.crt') };

describe('an answer that is none', () => {
  it.each([
    [
      '101 with an upgrade',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
    ['101 without an upgrade', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
  ])('fails at once when it is %s', async (_, head) => {
    const port = await tcpReceiver((socket) => socket.write(head));
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      statusCode: 101,
      response: null,
      error: 'protocol upgrades are not supported',
    });
  });

  it.each(['100 Continue', '102 Processing', '103 Early Hints'])(
    'is passed over when it is %s',
    async (line) => {
      const port = await tcpReceiver((socket) =>
        socket.end(`HTTP/1.1 ${line}\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`),
      );
      expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
        statusCode: 200,
        response: 'ok',
        error: null,
      });
    },
  );

  it('fails when there are 1xx responses without end', async () => {
    const port = await tcpReceiver((socket) =>
      flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n'.repeat(100)),
    );
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      statusCode: null,
      error: 'too many 1xx responses',
    });
  });

  it('fails when the connection is half-closed without a response', async () => {
    const port = await tcpReceiver((socket) => socket.end());
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      statusCode: null,
      error: 'connection closed before a response',
    });
  });

  it.each([
    ['in the status line', 'HTTP/1.1 20'],
    ['in the headers', 'HTTP/1.1 200 OK\r\nContent-Ty'],
  ])('fails when the connection is closed %s', async (_, start) => {
    const port = await tcpReceiver((socket) => socket.end(start));
    const { statusCode, error } = await post(`http://127.0.0.1:${port}/`);
    expect(statusCode).toBeNull();
    expect(['connection closed before a response', 'response is not HTTP']).toContain(error);
  });

  it('fails when the connection is reset in the request', async () => {
    const port = await tcpReceiver((socket) => socket.resetAndDestroy());
    expect(await post(`http://127.0.0.1:${port}/`, { body: 'x'.repeat(5_000_000) })).toMatchObject({
      statusCode: null,
      error: 'connection closed before a response',
    });
  });
});

describe('an answer in headers', () => {
  it('fails when there are headers without end', async () => {
    const port = await tcpReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      flood(socket, `X-${'a'.repeat(100)}: ${'b'.repeat(900)}\r\n`.repeat(20));
    });
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      statusCode: null,
      error: 'response headers are too large',
    });
  });

  it('fails when they come a byte at a time', async () => {
    const port = await tcpReceiver((socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX-Slow: x'));
    expect(await post(`http://127.0.0.1:${port}/`, limited)).toMatchObject(timedOut);
  });

  it('is not read beyond a redirect whose body does not end', async () => {
    const port = await httpReceiver((request, response) => {
      if (request.url === '/end') response.end('here');
      else response.writeHead(307, { Location: '/end' }).write('never ends');
    });
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ statusCode: 200, response: 'here' });
  });
});

describe('an answer with a body', () => {
  it.each([
    ['without end', (socket: Socket) => flood(socket, 'x'.repeat(65_536))],
    ['a byte at a time', (socket: Socket) => drip(socket, 'x')],
    ['that is cut', (socket: Socket) => socket.end('x')],
    ['that is reset', (socket: Socket) => socket.write('x', () => socket.resetAndDestroy())],
  ])('keeps its status and the start of a body %s', async (_, write) => {
    const port = await tcpReceiver((socket) => {
      socket.write('HTTP/1.1 503 Busy\r\nContent-Length: 1000000000\r\n\r\n');
      write(socket);
    });
    const { statusCode, error, response, durationMs } = await post(`http://127.0.0.1:${port}/`, limited);
    expect([statusCode, error]).toEqual([503, null]);
    expect(response).toMatch(/^x{0,2048}$/);
    expect(durationMs).toBeLessThan(timeoutMs + 10_000);
  });

  it('decompresses nothing', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000));
    const port = await httpReceiver((_, response) =>
      response.writeHead(500, { 'Content-Encoding': 'gzip' }).end(bomb),
    );
    const peak = await peakOf(async () => {
      const result = await post(`http://127.0.0.1:${port}/`);
      expect(result).toMatchObject({ statusCode: 500, response: null, error: null });
    });
    expect(peak).toBeLessThan(50_000_000);
  });

  it('does not read chunk extensions and trailers without end', async () => {
    const port = await tcpReceiver((socket) => {
      socket.write('HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n2');
      flood(socket, `;${'e'.repeat(4096)}`);
    });
    expect(await post(`http://127.0.0.1:${port}/`, limited)).toMatchObject({ statusCode: 500, response: '' });
  });

  it('uses little memory when a hundred receivers send without end', async () => {
    const chunk = Buffer.alloc(65_536, 'x');
    const port = await tcpReceiver((socket) => {
      socket.write('HTTP/1.1 500 No\r\n\r\n');
      flood(socket, chunk);
    });
    const peak = await peakOf(async () => {
      const all = await Promise.all(Array.from({ length: 100 }, () => post(`http://127.0.0.1:${port}/`)));
      expect(new Set(all.map(({ response }) => response))).toEqual(new Set(['x'.repeat(2048)]));
    });
    // Two chunks of each at a time.
    expect(peak).toBeLessThan(100_000_000);
  });
});

describe('an answer over TLS', () => {
  it('fails when the certificate is self-signed', async () => {
    const port = await listen(createTlsServer(certificate));
    const resolve = async () => ['127.0.0.1'];
    expect(await post(`https://hooks.example:${port}/`, { resolve })).toMatchObject({
      statusCode: null,
      error: 'certificate is self-signed',
    });
  });

  it.each([
    ['is garbage', (socket: Socket) => socket.write('\x15\x03\x03\x00\x02\x02\x28'), 'TLS handshake failed'],
    ['is closed', (socket: Socket) => socket.end(), 'connection closed before a response'],
  ])('fails when the handshake %s', async (_, answer, error) => {
    const port = await tcpReceiver(answer);
    expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({ statusCode: null, error });
  });

  it('fails when the handshake does not end', async () => {
    const port = await tcpReceiver(() => undefined);
    expect(await post(`https://127.0.0.1:${port}/`, limited)).toMatchObject(timedOut);
  });

  it('fails when the receiver speaks an old version of TLS only', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const port = await listen(createTlsServer({ ...certificate, ...old }));
    const { statusCode, error } = await post(`https://127.0.0.1:${port}/`);
    expect([statusCode, error]).toEqual([null, 'TLS handshake failed']);
  });
});
