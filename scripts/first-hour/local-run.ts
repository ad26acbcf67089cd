/** A local run as a newcomer has it: a copy of this tree, `npm start` in it, and Ctrl-C. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { descendantsOf, isRunning } from './process-tree.ts';

const root = join(import.meta.dirname, '../..');
/** Not part of a fresh clone, or not read by `npm start`. */
const leftOut: ReadonlySet<string> = new Set(['.git', '.local', 'bench', 'cdk.out', 'node_modules', 'test']);
const freePorts = ['port', 'smtp-port', 'dns-port', 'google-port', 'microsoft-port'].flatMap((name) => [
  `--${name}`,
  '0',
]);

/** What `npm start` writes for programs (`.local/ready.json`). */
export interface Addresses {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly smtpPort: number;
}

export interface LocalRun {
  /** From the start of npm until the run was ready. */
  readonly readySeconds: number;
  /** The process of the local cloud, below npm. */
  readonly pid: number;
  readonly addresses: Addresses;
  /** Environment of an administrator. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sends SIGINT to all processes of the run, as a terminal does; seconds until the last has ended. */
  interrupt(): Promise<number>;
}

/** A copy of this tree without `.local`; its packages are those of this tree. */
export function copyTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-first-hour-'));
  cpSync(root, folder, {
    recursive: true,
    filter: (path) => path === root || !leftOut.has(basename(path)),
  });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** @throws Error with the output when it ends before it is ready */
export async function startRun(folder: string): Promise<LocalRun> {
  const startedAt = performance.now();
  const npm = spawn('npm', ['start', '--', ...freePorts], {
    cwd: folder,
    // A process group of its own, as in a terminal.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid: group = 0 } = npm;
  const output: string[] = [];
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => output.push(text));
  const ready = join(folder, '.local/ready.json');
  while (!existsSync(ready)) {
    if (npm.exitCode !== null) throw new Error(`npm start ended:\n${output.join('')}`);
    await wait(10);
  }
  const readySeconds = secondsSince(startedAt);
  const read = <T>(name: string) => JSON.parse(readFileSync(join(folder, '.local', name), 'utf8')) as T;
  return {
    readySeconds,
    pid: cloudProcess(group),
    addresses: read<Addresses>('ready.json'),
    environment: read<Record<string, string>>('environment.json'),
    interrupt: () => interrupt(npm, group),
  };
}

/** npm starts a shell, or the program itself. */
function cloudProcess(npm: number): number {
  const isCloud = (pid: number) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0]?.endsWith('node');
  const pid = descendantsOf(npm).find((each) => each !== npm && isCloud(each));
  if (pid === undefined) throw new Error('npm start has no process of the local cloud');
  return pid;
}

async function interrupt(npm: ChildProcess, group: number): Promise<number> {
  const all = descendantsOf(group);
  const exited = once(npm, 'exit');
  const startedAt = performance.now();
  process.kill(-group, 'SIGINT');
  await exited;
  while (all.some(isRunning)) await wait(5);
  return secondsSince(startedAt);
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000;
}
