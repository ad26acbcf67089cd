import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkPorts, explainTakenPort } from '../../../bin/local/check-ports.ts';
import type { Ports } from '../../../bin/local/options.ts';

const free: Ports = { port: 0, 'smtp-port': 0, 'dns-port': 0, 'google-port': 0, 'microsoft-port': 0 };

/** A server that writes a text to each client. */
async function takenPort(greeting = ''): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    if (greeting) socket.end(greeting);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe('checkPorts', () => {
  it('accepts ports that nobody uses', async () => {
    await expect(checkPorts(free)).resolves.toBeUndefined();
  });

  it('names every port that is taken, with its option', async () => {
    const [api, smtp] = [await takenPort('HTTP/1.0 404\r\n\r\n'), await takenPort()];
    await expect(checkPorts({ ...free, port: api, 'smtp-port': smtp })).rejects.toThrow(
      `Ports ${api} (--port) and ${smtp} (--smtp-port) are in use. Use free ports: npm start -- --port 0 --smtp-port 0`,
    );
  });

  it.each([
    ['port', '{"routes":["GET /sent/last/message-id  Returns …"]}'],
    ['smtp-port', '220 inbound-smtp.local ESMTP\r\n'],
    ['google-port', '<title>Mailboxes of the local Google</title>'],
    ['microsoft-port', '<title>Mailboxes of the local Microsoft</title>'],
  ])('says that another run has the %s', async (option, answer) => {
    const port = await takenPort(answer);
    await expect(checkPorts({ ...free, [option]: port })).rejects.toThrow(
      `Port ${port} (--${option}) is in use by another npm start of Parley. Stop it there with Ctrl-C, or use a free ` +
        `port: npm start -- --${option} 0`,
    );
  });

  it('finds a port of the DNS server that is taken for UDP only', async () => {
    const socket = createSocket('udp4');
    // Below the ports of connections, one of which may have the same number for TCP.
    socket.bind(20_000 + (process.pid % 10_000), '127.0.0.1');
    await once(socket, 'listening');
    onTestFinished(() => void socket.close());
    const { port } = socket.address();
    await expect(checkPorts({ ...free, 'dns-port': port })).rejects.toThrow(
      `Port ${port} (--dns-port) is in use.`,
    );
    await expect(checkPorts({ ...free, port })).resolves.toBeUndefined();
  });
});

describe('explainTakenPort', () => {
  it('names the option of a port that was taken after the check', async () => {
    const port = await takenPort();
    const error = Object.assign(new Error('listen'), { code: 'EADDRINUSE' });
    expect(await explainTakenPort(error, { ...free, port })).toMatchObject({
      message: expect.stringContaining(`Port ${port} (--port) is in use.`),
    });
  });

  it('leaves other errors alone', async () => {
    const error = new Error('other');
    expect(await explainTakenPort(error, free)).toBe(error);
  });
});
