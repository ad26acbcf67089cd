/** The command line as a process, from its source, with a configuration folder of its own. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { cloud } from '../../support/cloud.ts';
import type { TestWorkspace } from '../../support/workspace.ts';

const root = join(import.meta.dirname, '../../..');
export const sourceProgram = join(root, 'clients/cli/src/main.ts');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunningCli {
  readonly child: ChildProcessWithoutNullStreams;
  out(): string;
  err(): string;
  /** Resolves when stdout or stderr matches. @throws Error when the process ends without it */
  until(pattern: RegExp): Promise<void>;
  readonly ended: Promise<Ended>;
  /** Ctrl-C. */
  interrupt(): Promise<Ended>;
}

export interface CliHome {
  /** XDG_CONFIG_HOME. */
  readonly folder: string;
  run(args: readonly string[], more?: { readonly stdin?: string; readonly env?: Env }): Promise<Ended>;
  start(args: readonly string[], more?: { readonly env?: Env }): RunningCli;
}

type Env = Readonly<Record<string, string>>;

/** A configuration folder, removed at the end of the test. @param env of every call */
export function cliHome(env: Env = {}, program = sourceProgram): CliHome {
  const folder = mkdtempSync(join(tmpdir(), 'parley-cli-'));
  const children = new Set<ChildProcessWithoutNullStreams>();
  onTestFinished(() => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const start: CliHome['start'] = (args, more = {}) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      // Nothing of the person's own.
      env: { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: folder, TZ: 'UTC', ...env, ...more.env },
    });
    children.add(child);
    return watched(child);
  };
  return {
    folder,
    start,
    run: async (args, { stdin = '', ...more } = {}) => {
      const running = start(args, more);
      running.child.stdin.on('error', () => {});
      running.child.stdin.end(stdin);
      return await running.ended;
    },
  };
}

/** With the key of a workspace in the environment. */
export const cliOf = (ours: TestWorkspace, env: Env = {}): CliHome =>
  cliHome({ PARLEY_API_KEY: ours.key, PARLEY_BASE_URL: cloud().baseUrl, ...env });

function watched(child: ChildProcessWithoutNullStreams): RunningCli {
  let [out, err] = ['', ''];
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    changed();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
    changed();
  });
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, out, err })));
  return {
    child,
    out: () => out,
    err: () => err,
    ended,
    until: async (pattern) => {
      const found = new Promise<void>((resolve) => {
        const look = () => {
          if (pattern.test(out) || pattern.test(err)) resolve();
        };
        listeners.add(look);
        look();
      });
      const over = ended.then(() => {
        if (!pattern.test(out) && !pattern.test(err))
          throw new Error(`it ended without ${pattern}:\n${out}${err}`);
      });
      await Promise.race([found, over]);
    },
    interrupt: async () => {
      child.kill('SIGINT');
      return await ended;
    },
  };
}
