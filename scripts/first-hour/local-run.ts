/** A local run as a newcomer has it: a copy of this tree, `npm start` in it, and Ctrl-C. */
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { portOptions } from '../../bin/local/options.ts';
import { temporaryFolder } from './leftovers.ts';
import { type Start, startParley } from './newcomer.ts';
import { descendantsOf, isRunning } from './process-tree.ts';

const root = join(import.meta.dirname, '../..');
/** Not part of a fresh clone, or not read by `npm start`. */
const leftOut: ReadonlySet<string> = new Set(['.git', '.local', 'bench', 'cdk.out', 'node_modules', 'test']);
/** Options of `npm start`. */
export const freePorts = portOptions.flatMap((option) => [`--${option}`, '0']);

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
export function copyTree(): { readonly path: string; remove(): void } {
  const folder = temporaryFolder('parley-first-hour-');
  cpSync(root, folder.path, {
    recursive: true,
    filter: (path) => path === root || !leftOut.has(basename(path)),
  });
  symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'));
  return folder;
}

/** @throws Failed with the output when it is not ready */
export async function startRun(folder: string): Promise<LocalRun> {
  const started = await startParley(folder, freePorts);
  const read = <T>(name: string) => JSON.parse(readFileSync(join(folder, '.local', name), 'utf8')) as T;
  return {
    readySeconds: started.readySeconds,
    pid: cloudProcess(started.pid),
    addresses: read<Addresses>('ready.json'),
    environment: read<Record<string, string>>('environment.json'),
    interrupt: () => interrupt(started),
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

async function interrupt(started: Start): Promise<number> {
  const all = descendantsOf(started.pid);
  const startedAt = performance.now();
  await started.stop();
  while (all.some(isRunning)) await wait(5);
  return (performance.now() - startedAt) / 1000;
}
