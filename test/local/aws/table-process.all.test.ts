import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startTableProcess } from '../../../lib/local/aws/table-process.ts';

const listening = (port: number) => [
  process.execPath,
  '-e',
  `require('net').createServer().listen(${port}, '127.0.0.1')`,
];
const refused = ['sh', '-c', 'echo "error: port 1 is already in use" >&2; exit 1'];

describe('the process of a table engine', () => {
  it('takes another port where somebody has taken the first, five times at most', async () => {
    const ports: number[] = [];
    const started = await startTableProcess('engine', (port) => {
      ports.push(port);
      return ports.length < 5 ? refused : listening(port);
    });
    expect(started.url).toBe(`http://127.0.0.1:${ports[4]}`);
    const socket = connect(Number(ports[4]), '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    await started.close();
    let tries = 0;
    const failing = startTableProcess('engine', () => {
      tries += 1;
      return refused;
    });
    await expect(failing).rejects.toThrow('port 1 is already in use');
    expect(tries).toBe(5);
  });

  it('does not try again for another reason', async () => {
    let tries = 0;
    const failing = startTableProcess('engine', () => {
      tries += 1;
      return ['sh', '-c', 'echo "no such file" >&2; exit 1'];
    });
    await expect(failing).rejects.toThrow('The table engine engine ended when it was started: no such file');
    expect(tries).toBe(1);
  });
});
