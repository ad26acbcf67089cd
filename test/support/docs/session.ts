/** The terminal of a reader: one bash, which ends with the first command that fails. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Long enough for the synthesis of the templates. */
const patienceMs = 240_000;

/** `curl` fails for a problem, unless the page shows one; programs of the repository are run by `command.ts`. */
const preamble = `
curl() { if [ -n "$PAGE_SHOWS_PROBLEM" ]; then command curl "$@"; else command curl --fail-with-body "$@"; fi; }
npm() { node "$PAGE_COMMANDS" npm "$@"; }
npx() { node "$PAGE_COMMANDS" npx "$@"; }
`;

export interface Session {
  /**
   * Runs a block to its end.
   *
   * @param given.showsProblem whether the page shows a failed request
   * @returns what it printed, background programs included
   * @throws Error with the output, where a command fails
   */
  run(commands: string, given?: { readonly showsProblem?: boolean }): Promise<string>;
  /** What was printed since the last block began, also by background programs. */
  output(): string;
  close(): void;
}

export function openSession(folder: string, env: Readonly<Record<string, string>>): Session {
  const shell = spawn('bash', ['--noprofile', '--norc', '-e'], {
    cwd: folder,
    env: { ...env, PAGE_COMMANDS: join(import.meta.dirname, 'command.ts') },
    // A group of its own, so that background programs end with it.
    detached: true,
  });
  const ended = new Promise<number | null>((resolve) => shell.on('close', resolve));
  let [output, errors] = ['', ''];
  const listeners = new Set<() => void>();
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    for (const listener of listeners) listener();
  });
  shell.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  shell.stdin.on('error', () => {});
  shell.stdin.write(preamble);
  let count = 0;
  return {
    async run(commands, { showsProblem = false } = {}) {
      [output, errors] = ['', ''];
      count += 1;
      const file = join(folder, `.block-${count}.sh`);
      writeFileSync(file, `${commands}\n`);
      const mark = `end-${randomBytes(8).toString('hex')}`;
      // From a file: commands that read their input would else read the commands behind them.
      shell.stdin.write(
        `PAGE_SHOWS_PROBLEM=${showsProblem ? 1 : ''}\nsource ${file} </dev/null\nprintf '\\n${mark}\\n'\n`,
      );
      await Promise.race([
        printed(listeners, () => output.includes(mark)),
        ended.then((status) => {
          throw new Error(`exit code ${status} of\n${commands}\n${output}\n${errors}`);
        }),
        patience(commands, () => `${output}\n${errors}`),
      ]);
      output = output.replace(`\n${mark}\n`, '\n');
      return output;
    },
    output: () => output,
    close: () => endGroup(shell),
  };
}

function printed(listeners: Set<() => void>, isThere: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isThere()) return;
      listeners.delete(look);
      resolve();
    };
    listeners.add(look);
    look();
  });
}

function patience(commands: string, output: () => string): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`no end of\n${commands}\n${output()}`)), patienceMs).unref();
  });
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
