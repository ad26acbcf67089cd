/** The process of a table engine: starts it on a free port, waits until it answers, and ends it with this process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { CannotStart, type StartWatch } from '../start-watch.ts';

export interface TableProcess {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Runs a program in the background and ends it when the pipe to this process closes: on `close()` and when this process
 * is killed. Ignores SIGINT, which Ctrl-C sends to the whole process group.
 */
const watchdog = `
trap '' INT
exec 3<&0
"$@" 3<&- &
engine=$!
{ cat <&3 >/dev/null; kill "$engine"; } 2>/dev/null &
wait "$engine"
`;

const retryMs = 20;
/** Another program may have taken a port that was free a moment ago. */
const portsMax = 5;

/**
 * Waits as long as the process runs: no time is too long for a busy machine.
 *
 * @param name for error messages
 * @param command program and arguments for a port
 * @throws CannotStart with the output of the process when it ends; the reason of `signal`
 */
export async function startTableProcess(
  name: string,
  command: (port: number) => readonly string[],
  { signal }: Pick<StartWatch, 'signal'> = {},
  portsLeft = portsMax - 1,
): Promise<TableProcess> {
  const port = await freePort();
  const child = spawn('sh', ['-c', watchdog, 'sh', ...command(port)], { stdio: ['pipe', 'pipe', 'pipe'] });
  // 'close' follows the end of both output streams.
  const closed = once(child, 'close');
  let hasExited = false;
  let printed = '';
  child.once('exit', () => {
    hasExited = true;
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed = (printed + chunk).slice(-4000);
    });
  }
  const pipes = child.stdio.filter((pipe) => pipe instanceof Socket);
  const close = async () => {
    // Else this process may end before the engine and its output have, and whoever waits for this.
    for (const one of [child, ...pipes]) one.ref();
    child.stdin.end();
    await closed;
  };
  while (!(await answers(port))) {
    if (hasExited || signal?.aborted) {
      await close();
      signal?.throwIfAborted();
      if (portsLeft > 0 && /in use/i.test(printed)) {
        return await startTableProcess(name, command, { signal }, portsLeft - 1);
      }
      throw new CannotStart(`The table engine ${name} ended when it was started: ${printed.trim()}`);
    }
    await wait(retryMs);
  }
  // Does not keep this process alive; the watchdog ends the engine with it.
  child.unref();
  for (const pipe of pipes) pipe.unref();
  return { url: `http://127.0.0.1:${port}`, close };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
