/** `npm start`: runs the service in a local cloud with a demo workspace. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { localEnvironmentFile } from '../lib/adapters/operator-target.ts';
import type { WorkspaceId } from '../lib/core/ids.ts';
import {
  allAnomalies,
  type Cloud,
  type DemoApp,
  defaultGuardRails,
  demoClient,
  generousLimits,
  type LimitChanges,
  NoTableEngine,
  newAccountLimits,
  prepareDemoApps,
  startCloud,
  withLimits,
} from '../lib/local/index.ts';
import { createKey } from '../lib/services/api-keys/api-keys.ts';
import { createWorkspace, findWorkspace } from '../lib/services/workspaces/workspaces.ts';
import { InvalidSettings } from '../lib/settings.ts';

const help = `Usage: npm start -- [options]

  --port N            port of the API (default 3000; 0: a free port)
  --smtp-port N       port for inbound mail (default 2525)
  --dns-port N        port of the local DNS server (default 5300)
  --google-port N     port of the emulated Google (default 3001)
  --microsoft-port N  port of the emulated Microsoft (default 3002)
  --brand NAME        name in headers and documents (default Parley)
  --strict-webhooks   reject plain http and loopback webhook endpoints, as a deployment does
  --no-auto-dns       do not publish the DNS records of new domains below .test
  --data FOLDER       keep the table, objects, queues, schedules, DNS records and the clock in FOLDER
                      (default: in memory)
  --new-account       apply the limits of a new AWS account: SES 1 recipient a second and 200 a day,
                      10 concurrent Lambda executions
  --ses-rate N        SES recipients per second and region
  --ses-daily-quota N SES recipients per 24 hours and region
  --lambda-concurrency N
                      concurrent Lambda executions
  --anomalies         lag of secondary indexes, duplicates, transaction conflicts, failing copies and
                      set-up notifications, more often than in AWS
  --seed N            seed of the anomalies (default 1)
  --verbose           print the log lines of the functions
  --help`;

const slug = 'demo';
const root = join(import.meta.dirname, '..');
const readyFile = join(root, '.local/ready.json');
const environmentFile = join(root, localEnvironmentFile);

/** An error of the command line; printed without a stack trace. */
class UsageError extends Error {}

try {
  await main();
} catch (error) {
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE')
    console.error(`Port ${port} is in use; npm start -- --help lists the port options.`);
  else if (error instanceof UsageError || error instanceof InvalidSettings || error instanceof NoTableEngine)
    console.error(error.message);
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
    googlePort: portOf('google-port', options['google-port']),
    microsoftPort: portOf('microsoft-port', options['microsoft-port']),
    brand: options.brand,
    strictWebhooks: options['strict-webhooks'],
    publishesTestDomains: !options['no-auto-dns'],
    limits: limitsOf(options),
    guardRails: defaultGuardRails,
    ...(options.anomalies && { anomalies: { ...allAnomalies, seed: countOf('seed', options.seed) } }),
    ...(options.data && { dataFolder: resolve(options.data) }),
    ...(options.verbose && { onLog: ({ source, text }) => console.log(`[${source}] ${text}`) }),
  });
  closeOnSignal(cloud);
  const demo = await prepareDemo(cloud);
  writeAddressFiles(cloud, demo);
  // Since the start of the process, imports included.
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
        'google-port': { type: 'string', default: '3001' },
        'microsoft-port': { type: 'string', default: '3002' },
        brand: { type: 'string', default: 'Parley' },
        'strict-webhooks': { type: 'boolean', default: false },
        'no-auto-dns': { type: 'boolean', default: false },
        data: { type: 'string' },
        'new-account': { type: 'boolean', default: false },
        'ses-rate': { type: 'string' },
        'ses-daily-quota': { type: 'string' },
        'lambda-concurrency': { type: 'string' },
        anomalies: { type: 'boolean', default: false },
        seed: { type: 'string', default: '1' },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${help}`);
  }
}

function portOf(option: string, text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new UsageError(`--${option} must be a port from 0 to 65535, not ${text}.`);
}

/** The limits of the options: those of a new account, if wanted, then single ones. */
function limitsOf(options: ReturnType<typeof readArguments>): LimitChanges {
  const base = options['new-account'] ? newAccountLimits : generousLimits;
  const given = (option: 'ses-rate' | 'ses-daily-quota' | 'lambda-concurrency') =>
    options[option] === undefined ? null : countOf(option, options[option]);
  const sendsPerSecond = given('ses-rate');
  const sendsPerDay = given('ses-daily-quota');
  const concurrentExecutions = given('lambda-concurrency');
  return withLimits(base, {
    ses: {
      ...(sendsPerSecond !== null && { sendsPerSecond }),
      ...(sendsPerDay !== null && { sendsPerDay }),
    },
    lambda: { ...(concurrentExecutions !== null && { concurrentExecutions }) },
  });
}

function countOf(option: string, text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new UsageError(`--${option} must be a whole number above 0, not ${text}.`);
}

interface Demo {
  readonly workspaceId: WorkspaceId;
  readonly apiKey: string;
  readonly providedDomain: string;
  readonly apps: readonly DemoApp[];
}

/** Creates the demo workspace and its OAuth apps, or finds them with `--data`, and creates an API key. */
async function prepareDemo(cloud: Cloud): Promise<Demo> {
  Object.assign(process.env, cloud.environment);
  const workspace = (await findWorkspace(slug)) ?? (await createWorkspace({ slug, name: 'Demo' }));
  const { token } = await createKey(workspace.id, { name: 'npm start', scope: 'full' });
  const apps = await prepareDemoApps({ baseUrl: cloud.baseUrl, apiKey: token }, cloud.mailboxProviders);
  return {
    workspaceId: workspace.id,
    apiKey: token,
    providedDomain: `${slug}.${cloud.providedDomain}`,
    apps,
  };
}

/** Writes the addresses of the cloud for scripts and for `npm run admin -- --local`. */
function writeAddressFiles(cloud: Cloud, demo: Demo): void {
  const { baseUrl, smtpPort, dnsPort, controlUrl } = cloud;
  const { google, microsoft } = cloud.mailboxProviders;
  const { apps, ...rest } = demo;
  mkdirSync(join(root, '.local'), { recursive: true });
  writeFileSync(environmentFile, `${JSON.stringify(cloud.environment, null, 2)}\n`);
  writeFileSync(
    readyFile,
    `${JSON.stringify(
      {
        baseUrl,
        ...rest,
        smtpPort,
        dnsPort,
        controlUrl,
        googleUrl: google.url,
        microsoftUrl: microsoft.url,
        connectUrls: apps.map(({ connectUrl }) => connectUrl),
      },
      null,
      2,
    )}\n`,
  );
}

function closeOnSignal(cloud: Cloud): void {
  let isClosing = false;
  const close = async () => {
    // A second signal ends the process at once.
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
  const sender = `hello@${demo.providedDomain}`;
  const recipient = 'anna@example.test';
  const key = `-H 'Authorization: Bearer ${demo.apiKey}'`;
  const mail = `{"from":"Demo <${sender}>","to":["${recipient}"],"subject":"Lunch?","text":"Are you free on Friday?"}`;
  const reply = `From: Anna <${recipient}>\\r\\nTo: ${sender}\\r\\nSubject: Re: Lunch?\\r\\nIn-Reply-To: %s\\r\\n\\r\\nYes, at noon!\\r\\n`;
  return `
${brand} is ready after ${seconds} s.

  API      ${baseUrl}
  Key      ${demo.apiKey}  (full; workspace ${slug}, domain ${demo.providedDomain})
  SMTP     smtp://127.0.0.1:${smtpPort}  (inbound mail)
  DNS      127.0.0.1:${dnsPort}
  Control  ${controlUrl}  (sent mail, clock, DNS, faults, queues)

  Mailbox providers (client ${demoClient.clientId}, secret ${demoClient.clientSecret}):

${providerLines(cloud)}

Send an email:

  curl -s ${baseUrl}/emails ${key} -H 'Content-Type: application/json' -d '${mail}'

Reply as Anna:

  printf '${reply}' "$(curl -s ${controlUrl}/sent/last/message-id)" | curl -s smtp://127.0.0.1:${smtpPort} --mail-from ${recipient} --mail-rcpt ${sender} -T -

Read the thread:

  curl -s ${baseUrl}/threads/$(curl -s "${baseUrl}/threads?limit=1" ${key} | grep -o 'thr_[0-9a-f]*' | head -1) ${key}

Connect a mailbox in a browser, then write from it or to it in the webmail:

${demo.apps.map(({ connectUrl }) => `  ${connectUrl}`).join('\n')}

Press Ctrl-C to stop.
`;
}

/** The webmail and the accounts of each emulated provider. */
function providerLines({ mailboxProviders: { google, microsoft } }: Cloud): string {
  const line = (name: string, { url, accounts }: typeof google | typeof microsoft) => {
    const addresses = accounts.list().map(({ address }) => address);
    return `  ${name.padEnd(10)} ${url}/mail  (${addresses.join(', ')})`;
  };
  return [line('Google', google), line('Microsoft', microsoft)].join('\n');
}
