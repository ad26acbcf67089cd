/** The server over stdin and stdout, as hosts on the same machine start it. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Parley, type ParleyOptions, UnauthorizedError } from '../../typescript/src/index.ts';
import { scopeOf } from './scope.ts';
import { createServer } from './server.ts';
import { version } from './version.ts';

/**
 * Serves one host until it closes stdin. stdout carries the protocol alone; what a person should know goes to stderr.
 *
 * @param options.apiKey default: PARLEY_API_KEY
 * @param options.baseUrl default: PARLEY_BASE_URL
 * @throws InvalidArgumentError without a key or an address
 */
export async function runStdio(options: ParleyOptions = {}): Promise<void> {
  const client = { headers: { 'User-Agent': `parley-mcp/${version}` }, ...options };
  const parley = new Parley(client);
  const say = (text: string) => process.stderr.write(`parley-mcp: ${text}\n`);
  // Once for all servers of the connection: a host may ask what there is before it connects.
  let scope: ReturnType<typeof scopeOf> | undefined;
  const askedScope = async () => {
    try {
      scope ??= scopeOf(parley);
      return await scope;
    } catch (error) {
      if (error instanceof UnauthorizedError)
        say('The API key is not valid: check PARLEY_API_KEY and PARLEY_BASE_URL.');
      return null;
    }
  };
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    // A host that has ended reads no answer.
    process.stdout.on('error', () => resolve());
  });
  const handle = serveStdio(
    async () =>
      createServer({
        client,
        scope: await askedScope(),
        onFault: (error, tool) =>
          say(`${tool} failed: ${error instanceof Error ? error.stack : String(error)}`),
      }),
    { onerror: (error) => say(error.message) },
  );
  await ended;
  await handle.close();
}
