/** Measures the command line as a process of its built package: how long a call takes, and how soon `listen` posts an event. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { idTime } from '../../lib/core/ids.ts';
import { defaultGuardRails, startCloud } from '../../lib/local/index.ts';
import { workspace } from '../../test/support/workspace.ts';
import { quantile } from '../bench/figures.ts';
import { listen } from '../listen.ts';

const folder = join(import.meta.dirname, '../../clients/cli');
const program = join(folder, 'dist/parley.js');
const emails = 100;
const calls = 20;

export interface CliFigures {
  readonly events: number;
  /** From the recording of an event, by its id, to the begin of its post. */
  readonly delayMs: { readonly p50: number; readonly p95: number; readonly max: number };
  /** Of `parley threads`, start and end of the process included. */
  readonly callMs: { readonly p50: number; readonly max: number };
  readonly emails: number;
}

/** Builds the package, and measures it against a local cloud with the request budget of a deployment. */
export async function measureCli(): Promise<CliFigures> {
  if (spawnSync('npm', ['run', 'build'], { cwd: folder, stdio: 'inherit' }).status !== 0) process.exit(1);
  const cloud = await startCloud({ guardRails: defaultGuardRails });
  const home = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  try {
    Object.assign(process.env, cloud.environment);
    const { providedDomain, key: token } = await workspace({ slug: 'listen' });
    const env = {
      PATH: process.env.PATH,
      XDG_CONFIG_HOME: home,
      PARLEY_API_KEY: token,
      PARLEY_BASE_URL: cloud.baseUrl,
    };
    const delays = await delaysOf(env, `support@${providedDomain}`);
    const times: number[] = [];
    for (let call = 0; call < calls; call += 1) times.push(await callMs(env));
    const at = (values: readonly number[], share: number) => Math.round(quantile(values, share));
    return {
      events: delays.length,
      emails,
      delayMs: { p50: at(delays, 0.5), p95: at(delays, 0.95), max: at(delays, 1) },
      callMs: { p50: at(times, 0.5), max: at(times, 1) },
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
    await cloud.close();
  }
}

type Env = Readonly<Record<string, string | undefined>>;

/** Milliseconds of each event of some emails that are sent at odd times. */
async function delaysOf(env: Env, from: string): Promise<number[]> {
  const seen = new Map<string, number>();
  const { origin, close } = await listen((request, response) => {
    const eventId = String(request.headers['webhook-id']);
    seen.set(eventId, Date.now() - idTime(eventId));
    request.resume().on('end', () => response.writeHead(204).end());
  });
  const listener = spawn(process.execPath, [program, 'listen', '--forward-to', `${origin}/`], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => listener.stdout.once('data', resolve));
  for (let sent = 0; sent < emails; sent += 1) {
    await send(env, from);
    await pause(Math.random() * 700);
  }
  await pause(5000);
  listener.kill('SIGINT');
  await new Promise((resolve) => listener.once('exit', resolve));
  close();
  return [...seen.values()];
}

async function send(env: Env, from: string): Promise<void> {
  const { status } = await fetch(`${env.PARLEY_BASE_URL}/emails`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${env.PARLEY_API_KEY}` },
    body: JSON.stringify({ from, to: 'anna@example.test', subject: 'x', text: 'x' }),
  });
  if (status !== 201) throw new Error(`a send is answered by ${status}`);
}

/** Not in one go with `spawnSync`: the cloud answers from this process. */
async function callMs(env: Env): Promise<number> {
  const begunAt = performance.now();
  const child = spawn(process.execPath, [program, 'threads'], { env, stdio: 'ignore' });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`parley threads ends with ${code}`);
  return performance.now() - begunAt;
}

export const cliHeading = '## The command line';

export function cliText({ events, emails: count, delayMs, callMs: call }: CliFigures): string {
  return `${cliHeading}

The built package as a process, against the local cloud with the request budget of a deployment: \`listen\` reads once a second.
${events} events of ${count} emails that are sent at odd times; from the recording of an event, by its id, to the post. Of
\`parley threads\`: ${calls} calls, with start and end of the process.

| Milliseconds | p50 | p95 | most |
|---|---:|---:|---:|
| from the event to the post of \`parley listen\` | ${delayMs.p50} | ${delayMs.p95} | ${delayMs.max} |
| a call of \`parley threads\` | ${call.p50} | | ${call.max} |
`;
}
