/** `npm start`: the whole service on this machine, with a workspace to try it in. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { localEnvironmentFile } from '../lib/adapters/operator-target.ts';
import type { WorkspaceId } from '../lib/core/ids.ts';
import { type Cloud, startCloud } from '../lib/local/cloud.ts';
import { InvalidSettings } from '../lib/settings.ts';
import { createKey } from '../lib/storage/api-keys.ts';
import { createWorkspace, findWorkspace } from '../lib/storage/workspaces.ts';

const help = `Usage: npm start -- [options]

  --port N            of the API (default 3000; 0 takes a free one)
  --smtp-port N       for inbound mail (default 2525)
  --dns-port N        of the local DNS server (default 5300)
  --brand NAME        name in headers and documents (default Parley)
  --strict-webhooks   refuse plain http and loopback receivers, as a deployment does
  --no-auto-dns       leave it to you to publish the DNS records of domains below .test
  --data FOLDER       keep the table and objects there (default: in memory)
  --verbose           show what the functions write
  --help`;

const slug = 'demo';
const root = join(import.meta.dirname, '..');
const readyFile = join(root, '.local/ready.json');
const environmentFile = join(root, localEnvironmentFile);

/** What the caller got wrong; printed without a stack. */
class Usage extends Error {}

try {
  await main();
} catch (error) {
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE')
    console.error(`Port ${port} is taken; npm start -- --help tells how to take another.`);
  else if (error instanceof Usage || error instanceof InvalidSettings) console.error(error.message);
  else console.error(error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const options = readArguments();
  if (options.help) return console.log(help);
  const cloud = await startCloud({
    port: portOf('port', options.port),
    smtpPort: portOf('smtp-port', options['smtp-port']),
    dnsPort: portOf('dns-port', options['dns-port']),
    brand: options.brand,
    strictWebhooks: options['strict-webhooks'],
    publishesTestDomains: !options['no-auto-dns'],
    ...(options.data && { dataFolder: resolve(options.data) }),
    ...(options.verbose && { onLog: ({ source, text }) => console.log(`[${source}] ${text}`) }),
  });
  closeOnSignal(cloud);
  const demo = await prepareDemo(cloud);
  announce(cloud, demo);
  // Counted from the start of the process, its imports included.
  const seconds = (performance.now() / 1000).toFixed(1);
  console.log(greeting(cloud, demo, options.brand, seconds));
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '3000' },
        'smtp-port': { type: 'string', default: '2525' },
        'dns-port': { type: 'string', default: '5300' },
        brand: { type: 'string', default: 'Parley' },
        'strict-webhooks': { type: 'boolean', default: false },
        'no-auto-dns': { type: 'boolean', default: false },
        data: { type: 'string' },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new Usage(`${(error as Error).message}\n\n${help}`);
  }
}

function portOf(option: string, text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Usage(`--${option} takes a port from 0 to 65535, not ${text}.`);
}

interface Demo {
  readonly workspaceId: WorkspaceId;
  readonly apiKey: string;
  readonly providedDomain: string;
}

/** Makes the workspace, or finds the one that `--data` kept; its key is new at every start. */
async function prepareDemo(cloud: Cloud): Promise<Demo> {
  Object.assign(process.env, cloud.environment);
  const workspace = (await findWorkspace(slug)) ?? (await createWorkspace({ slug, name: 'Demo' }));
  const { token } = await createKey(workspace.id, { name: 'npm start', scope: 'full' });
  return { workspaceId: workspace.id, apiKey: token, providedDomain: `${slug}.${cloud.providedDomain}` };
}

/** For programs: where everything is, and for `npm run admin -- --local`. */
function announce(cloud: Cloud, demo: Demo): void {
  const { baseUrl, smtpPort, dnsPort, controlUrl } = cloud;
  mkdirSync(join(root, '.local'), { recursive: true });
  writeFileSync(environmentFile, `${JSON.stringify(cloud.environment, null, 2)}\n`);
  writeFileSync(
    readyFile,
    `${JSON.stringify({ baseUrl, ...demo, smtpPort, dnsPort, controlUrl }, null, 2)}\n`,
  );
}

function closeOnSignal(cloud: Cloud): void {
  let isClosing = false;
  const close = async () => {
    // Asked twice: at once.
    if (isClosing) process.exit(1);
    isClosing = true;
    for (const file of [readyFile, environmentFile]) rmSync(file, { force: true });
    await cloud.close();
    process.exit(0);
  };
  process.on('SIGINT', close);
  process.on('SIGTERM', close);
}

function greeting(cloud: Cloud, demo: Demo, brand: string, seconds: string): string {
  const { baseUrl, smtpPort, dnsPort, controlUrl } = cloud;
  const us = `hello@${demo.providedDomain}`;
  const them = 'anna@example.test';
  const key = `-H 'Authorization: Bearer ${demo.apiKey}'`;
  const mail = `{"from":"Demo <${us}>","to":["${them}"],"subject":"Lunch?","text":"Are you free on Friday?"}`;
  const answer = `From: Anna <${them}>\\r\\nTo: ${us}\\r\\nSubject: Re: Lunch?\\r\\nIn-Reply-To: %s\\r\\n\\r\\nYes, at noon!\\r\\n`;
  return `
${brand} is up after ${seconds} s.

  API      ${baseUrl}
  Key      ${demo.apiKey}  (full; workspace ${slug}, domain ${demo.providedDomain})
  SMTP     smtp://127.0.0.1:${smtpPort}  (inbound mail)
  DNS      127.0.0.1:${dnsPort}
  Control  ${controlUrl}  (what was sent, clock, DNS, faults, queues)

Send a mail:

  curl -s ${baseUrl}/emails ${key} -H 'Content-Type: application/json' -d '${mail}'

Answer it as Anna:

  printf '${answer}' "$(curl -s ${controlUrl}/sent/last/message-id)" | curl -s smtp://127.0.0.1:${smtpPort} --mail-from ${them} --mail-rcpt ${us} -T -

Read the thread:

  curl -s ${baseUrl}/threads/$(curl -s "${baseUrl}/threads?limit=1" ${key} | grep -o 'thr_[0-9a-f]*' | head -1) ${key}

Ctrl-C ends it.
`;
}
