/** `npm run bench:clients`: measures the TypeScript library and the command line, runs it in every runtime that npm gives, and writes `bench/clients.md`. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { webhookHeaders } from '../lib/core/webhooks/signature.ts';
import { startCloud } from '../lib/local/index.ts';
import { workspace } from '../test/support/workspace.ts';
import { bundleSize, callCost, type LossFigures, sendsWithLosses } from './clients/measure.ts';
import { cliHeading, cliText, measureCli } from './clients/measure-cli.ts';
import type { ProbeInput } from './clients/probe.ts';
import { installRuntimes, probeRuntimes, type RuntimeResult } from './clients/runtimes.ts';

const root = join(import.meta.dirname, '..');
const library = join(root, 'clients/typescript');
const others = ['resend@6.38.0', 'agentmail@0.5.27', 'stripe@23.1.0'];

/** A file of the table, and the program that is bundled for it. */
const programs: Readonly<Record<string, string>> = {
  'parley-client: send, reply, verify': `import { Parley } from 'parley-client';
    const parley = new Parley();
    export const send = (mail) => parley.emails.send(mail);
    export const reply = (id, mail) => parley.threads.reply(id, mail);
    export const verify = (request, secret) => parley.webhooks.verify(request, secret);`,
  'parley-client: verify alone': `export { verifyWebhook } from 'parley-client';`,
};

/** A send and, where the library has one, a verification. */
const programsOfOthers: Readonly<Record<string, string>> = {
  resend: `import { Resend } from 'resend';
    const resend = new Resend('k');
    export const send = (mail) => resend.emails.send(mail);
    export const verify = (payload) => resend.webhooks.verify(payload);`,
  agentmail: `import { AgentMailClient } from 'agentmail';
    const client = new AgentMailClient({ apiKey: 'k' });
    export const send = (inbox, mail) => client.inboxes.messages.send(inbox, mail);`,
  stripe: `import Stripe from 'stripe';
    const stripe = new Stripe('k');
    export const create = (customer) => stripe.customers.create(customer);
    export const verify = (body, header, secret) => stripe.webhooks.constructEvent(body, header, secret);`,
};

const kb = (bytes: number): string => (bytes / 1024).toFixed(1);
const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

async function sizes(): Promise<string> {
  const rows = await Promise.all(
    Object.entries(programs).map(async ([name, program]) => {
      const { minified, gzip } = await bundleSize(program);
      return row(name, kb(minified), kb(gzip));
    }),
  );
  return ['| Program | Minified KB | Gzip KB |', '|---|---:|---:|', ...rows, ...(await sizesOfOthers())].join(
    '\n',
  );
}

/** Rows of the other libraries; none without a registry. */
async function sizesOfOthers(): Promise<string[]> {
  const folder = join(root, '.local/other-clients');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', ...others];
  if (spawnSync('npm', args, { cwd: folder, stdio: 'inherit' }).status !== 0) return [];
  return await Promise.all(
    others.map(async (spec) => {
      const name = spec.slice(0, spec.lastIndexOf('@'));
      const { minified, gzip } = await bundleSize(programsOfOthers[name] ?? '', [folder]);
      return row(
        `${spec.replace('@', ' ')}: one call${name === 'agentmail' ? '' : ', verify'}`,
        kb(minified),
        kb(gzip),
      );
    }),
  );
}

function lossRow({ lost, sends, succeeded, emails, duplicates, p50Ms, p99Ms }: LossFigures): string {
  const part = (value: number) => `${((value / sends) * 100).toFixed(2)} %`;
  return row(
    `${lost * 100} %`,
    part(succeeded),
    part(emails),
    duplicates,
    Math.round(p50Ms),
    Math.round(p99Ms),
  );
}

function packageText(): string {
  const { stdout } = spawnSync(
    'npm',
    ['pack', '--json', '--silent', '--pack-destination', join(root, '.local')],
    {
      cwd: library,
      encoding: 'utf8',
    },
  );
  const { size, unpackedSize } = packed(stdout);
  const esm = statSync(join(library, 'dist/esm/index.js')).size;
  return `The package has ${kb(size)} KB packed and ${kb(unpackedSize)} KB unpacked, of which \`index.js\` is ${kb(esm)} KB in each format. No dependencies.`;
}

/** npm answers a list, or from version 11 on a record by name. */
function packed(text: string): { size: number; unpackedSize: number } {
  const answer: unknown = JSON.parse(text.slice(text.search(/[[{]/)));
  const [first] = Object.values(answer as object);
  return first as { size: number; unpackedSize: number };
}

async function runtimes(): Promise<RuntimeResult[]> {
  if (!installRuntimes()) return [{ runtime: 'all', result: 'not run: the registry does not answer' }];
  const cloud = await startCloud();
  try {
    Object.assign(process.env, cloud.environment);
    const { providedDomain, key: token } = await workspace({ slug: 'probe' });
    const body = '{"id":"evt_1","type":"email.sent","created_at":"","space_id":null,"data":{}}';
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    const atSeconds = Math.floor(Date.now() / 1000);
    const input: ProbeInput = {
      apiKey: token,
      baseUrl: cloud.baseUrl,
      from: `support@${providedDomain}`,
      webhook: {
        body,
        headers: webhookHeaders('Parley', { eventId: 'evt_1', body, secrets: [secret], atSeconds }),
        secret,
      },
      path: join(root, 'LICENSE'),
      uploads: true,
    };
    return await probeRuntimes(input);
  } finally {
    await cloud.close();
  }
}

const file = join(root, 'bench/clients.md');
const cli = cliText(await measureCli());
if (process.argv.includes('--cli')) {
  const [before = ''] = readFileSync(file, 'utf8').split(`\n${cliHeading}\n`);
  writeFileSync(file, `${before.trimEnd()}\n\n${cli}`);
  process.exit(0);
}

if (spawnSync('npm', ['run', 'build'], { cwd: library, stdio: 'inherit' }).status !== 0) process.exit(1);
const found = await runtimes();
const losses = [];
for (const lost of [0, 0.01, 0.1, 0.3, 0.5]) losses.push(await sendsWithLosses(lost, 20_000));
const { fetch: plain, library: ours } = await callCost(2000);
const ms = (value: number): string => value.toFixed(2);
const page = `# Clients

Written by \`npm run bench:clients\`, which replaces this file; with \`-- --cli\` the last section alone. Node ${process.versions.node}.

## Sizes

A program, bundled and minified by esbuild without what it does not use. The test \`test/clients/size.test.ts\` keeps the first
below 15 KB and the second below 4 KB after gzip. The programs of other libraries make one call and, where the library can, verify
a webhook.

${await sizes()}

${packageText()}

## Runtimes

The built package sends with a file from a stream, replies, walks a list, meets errors and a signal, verifies a webhook, sends a
file by its path, and uploads and downloads 5 MB, against the local cloud. Steps that a runtime cannot have are left out: Workers
have no paths, and browsers reach the store of files only where it permits them (CORS).

| Runtime | Steps that passed |
|---|---|
${found.map(({ runtime, result }) => row(runtime, result)).join('\n')}

## What a call costs

Milliseconds of a send to a server on the same machine that answers at once, ${2000} calls of each by turns.

| | p50 | p99 |
|---|---:|---:|
| \`fetch\` | ${ms(plain.p50)} | ${ms(plain.p99)} |
| \`parley.emails.send\` | ${ms(ours.p50)} | ${ms(ours.p99)} |

## Lost answers

20,000 sends with the default options, on virtual time, to a service that keeps idempotency keys, takes 80 ms, and loses a part of
the attempts: half of them before and half of them after it has accepted the email. *Duplicates* are emails beyond one for each
call. \`test/clients/library.cloud.all.test.ts\` shows the same with the local cloud behind a proxy that loses answers.

| Lost attempts | Calls that succeeded | Emails sent | Duplicates | p50 ms | p99 ms |
|---|---:|---:|---:|---:|---:|
${losses.map(lossRow).join('\n')}

${cli}`;
writeFileSync(file, page);
process.exit(0);
