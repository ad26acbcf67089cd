/**
 * `npm run deploy:outside`: deploys the stacks with the CDK CLI into `moto_server`, where it is on the PATH, compares what was
 * created with the templates, and writes `bench/outside.md`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hasMoto, startMoto } from '../lib/local/index.ts';
import { adaptAssembly } from './outside/adapt.ts';
import { pageOf } from './outside/page.ts';
import { verifyStacks } from './outside/verify.ts';

const help = `Usage: npm run deploy:outside -- [options]

Deploys the stacks with the CDK CLI into moto_server, an emulator that others make, and compares what was created with
the templates. Writes bench/outside.md. Skips where moto_server is not on the PATH; nothing here installs it.

  --no-page  does not write the page
  --help`;

const root = join(import.meta.dirname, '..');
/** The account of moto. */
const account = '123456789012';
const mailRegions = ['us-east-1', 'eu-central-1'];

const { values: options } = parseArgs({
  options: { 'no-page': { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});

// Connections of SDK clients stay open.
process.exit(await main());

/** The exit code. */
async function main(): Promise<number> {
  if (options.help) {
    console.log(help);
    return 0;
  }
  if (!hasMoto()) {
    console.error('SKIPPED: moto_server is not on the PATH, so nothing was deployed into it.');
    return 0;
  }
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const folder = mkdtempSync(join(tmpdir(), 'parley-outside-'));
  forgetAws();
  const moto = await startMoto();
  try {
    return await deploy(folder, moto.url, stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return 130;
    console.error(error instanceof Error ? error.message : error);
    return 1;
  } finally {
    await moto.close();
    rmSync(folder, { recursive: true });
  }
}

async function deploy(folder: string, url: string, signal: AbortSignal): Promise<number> {
  useMoto(url);
  const context = { account, providedDomain: 'mail.example.com', mailRegions: mailRegions.join() };
  const settings = Object.entries(context).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  await cdk(['synth', '--quiet', '--output', folder, ...settings], signal);
  const adapted = adaptAssembly(folder);
  await cdk(
    ['bootstrap', '--app', folder, ...mailRegions.map((region) => `aws://${account}/${region}`)],
    signal,
  );
  // A change set of moto registers no exports, which the other stacks import.
  await cdk(
    ['deploy', '--all', '--app', folder, '--require-approval', 'never', '--method', 'direct'],
    signal,
  );
  const verified = await verifyStacks(folder);
  for (const line of verified.wrong) console.error(line);
  console.log(
    `${verified.resources} resources are there, ${verified.properties} properties are as in the templates, ${verified.wrong.length} are not.`,
  );
  if (verified.wrong.length > 0) return 1;
  if (!options['no-page']) writeFileSync(join(root, 'bench/outside.md'), pageOf(adapted, verified));
  return 0;
}

/** Neither this process nor its children can reach AWS: no profile, no configuration. moto fails with a profile that is not there. */
function forgetAws(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: 'outside',
    AWS_SECRET_ACCESS_KEY: 'outside',
    AWS_REGION: mailRegions[0],
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
  });
}

function useMoto(url: string): void {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: url,
    AWS_ENDPOINT_URL_S3: url,
    // moto finds a bucket in the path for the host `localhost` only, which the SDK puts before the host.
    AWS_ENDPOINT_URL_S3_FOR_CLOUDFORMATION: url.replace('127.0.0.1', 'localhost'),
  });
}

/** @throws Error when the CLI fails */
async function cdk(args: readonly string[], signal: AbortSignal): Promise<void> {
  const program = join(root, 'node_modules/.bin/cdk');
  console.log(`cdk ${args.filter((arg) => !arg.includes('=') && arg !== '-c').join(' ')}`);
  const child = spawn(program, [...args, '--no-notices'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed = (printed + chunk).slice(-4000);
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${printed.trim()}\ncdk ${args[0]} failed`);
}
